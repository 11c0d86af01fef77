-- Records of events have what is compared of shipping and receiving events: bodies carry every product and place of the
-- request they came in, and reading them was two thirds of a comparison. It is no part of the search row, which a
-- corrected quantity leaves as it is.

ALTER TABLE record ADD COLUMN compared text;
COMMENT ON COLUMN record.compared IS 'What is compared of an event with those of the other kind and is not in its search row, as JSON text (decision 0081). Null of other records, and while an event is voided.';
DO $$
BEGIN
  ALTER TABLE record ALTER COLUMN compared SET COMPRESSION lz4;
EXCEPTION WHEN feature_not_supported THEN NULL;
END $$;

-- Codes are compared as JSON texts: a text of JSON may be none of the database.
CREATE FUNCTION compared_of(event json, products json, locations json) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  WITH place AS (
    SELECT DISTINCT ON (code) (l.location -> 'locationCode')::text AS code, l.location -> 'gln' AS gln
    FROM json_array_elements(locations) WITH ORDINALITY AS l (location, n)
    ORDER BY code, l.n
  ), product AS (
    SELECT DISTINCT ON (code) (p.product -> 'itemCode')::text AS code, p.product -> 'gtin' AS gtin
    FROM json_array_elements(products) WITH ORDINALITY AS p (product, n)
    ORDER BY code, p.n DESC
  )
  SELECT json_build_array(
    event -> 'dataProviderVendorName',
    event -> 'billOfLadingNumber',
    (SELECT gln FROM place WHERE code = (event -> 'shipFromLocationCode')::text),
    (SELECT gln FROM place WHERE code = (event -> 'shipToLocationCode')::text),
    (
      SELECT json_agg(
        json_build_array(
          l.line -> 'vendorItemCode',
          l.line -> 'caseGtin',
          p.gtin,
          l.line -> 'caseLotNumber',
          l.line -> 'shipQuantity',
          l.line -> 'shipQuantityUom',
          l.line -> 'palletId'
        )
        ORDER BY l.n
      )
      FROM json_array_elements(event -> 'productList') WITH ORDINALITY AS l (line, n)
      LEFT JOIN product p ON p.code = (l.line -> 'vendorItemCode')::text
    )
  )::text
$$;

UPDATE record r SET compared = compared_of(b.body -> 'eventList', b.body -> 'productMasterDataList', b.body -> 'locationMasterList')
FROM record_version v, LATERAL (SELECT v.body::json AS body) b
WHERE v.provider_id = r.provider_id AND v.record_id = r.id AND v.version = r.version
  AND r.kind IN ('receivingEvent', 'shippingEvent') AND r.content_hash <> '';

DROP FUNCTION compared_of(json, json, json);
