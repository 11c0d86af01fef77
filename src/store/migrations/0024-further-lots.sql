-- Lot codes that may name other lots have a row for each of them. The program adds the rows of
-- stored lot codes with this migration, since SQL cannot read lot codes.

COMMENT ON COLUMN receiving_event_code.code IS 'An item code as written; of a lot code, what was read out of the text of the line, folded, so that codes that read alike stand together. A lot code that may name other lots has a further row for each of them.';
COMMENT ON COLUMN receiving_event_code.unfolded IS 'The lot code as it was read, where code is another text; else empty. Code and this together tell lot codes apart.';
