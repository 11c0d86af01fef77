import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { canonicalJson } from '../../src/contract/json/canonical.ts'
import {
  type JsonDefect,
  type JsonObjectText,
  readJsonObject,
  withoutSpaces,
} from '../../src/contract/json/json-text.ts'
import { listEntriesMax, nestedPartsMax } from '../../src/contract/shape/field.ts'
import { leastProcessorMs, processorMs } from '../support/patience.ts'
import { runs } from '../support/runs.ts'

/** Milliseconds, very generous: the machine may be busy with other tests. */
const bound = 20_000

function read(text: string): JsonObjectText {
  const body = readJsonObject(text)
  if ('defect' in body) throw new Error(`${body.line}:${body.column} ${body.defect}`)
  return body
}

function defectOf(text: string): JsonDefect {
  const body = readJsonObject(text)
  if (!('defect' in body)) throw new Error(`no defect in ${text.slice(0, 100)}`)
  return body
}

const whereOf = (text: string): string => `${defectOf(text).line}:${defectOf(text).column}`

/** Any JSON object, keys and strings of any code points, `__proto__` included. */
const jsonObject = fc
  .dictionary(fc.string({ unit: 'binary', maxLength: 8 }), fc.jsonValue({ maxDepth: 4, stringUnit: 'binary' }), {
    maxKeys: 6,
  })
  .map((value) => JSON.parse(JSON.stringify(value)) as Record<string, unknown>)

/**
 * The same value as text, with white space between the parts as the choices say, and names escaped
 * now and then.
 */
function spelled(value: unknown, choices: readonly number[]): string {
  let next = 0
  const choice = (of: number) => (choices[next++ % choices.length] ?? 0) % of
  const space = () => ['', '', ' ', '\n', '\r\n', '\t', '  \n '][choice(7)] ?? ''
  const escaped = (text: string) =>
    choice(3) === 0
      ? `"${text.replaceAll(/[\s\S]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)}"`
      : JSON.stringify(text)
  const print = (part: unknown): string => {
    if (typeof part === 'string') return escaped(part)
    if (Array.isArray(part)) return `[${space()}${part.map((one) => print(one) + space()).join(`,${space()}`)}]`
    if (typeof part === 'object' && part !== null)
      return `{${space()}${Object.entries(part)
        .map(([key, one]) => `${escaped(key)}${space()}:${space()}${print(one)}${space()}`)
        .join(`,${space()}`)}}`
    return JSON.stringify(part)
  }
  return `${space()}${print(value)}${space()}`
}

const spelledObject = fc
  .tuple(jsonObject, fc.array(fc.nat(1_000), { minLength: 1, maxLength: 40 }))
  .map(([value, choices]) => ({ value, text: spelled(value, choices) }))

describe('names that stand twice in one object', () => {
  it.each([
    ['plain', '{"a":1,"a":2}', '1:8', '/a'],
    ['escaped differently', '{"a":1,"\\u0061":2}', '1:8', '/a'],
    ['escaped differently, both ways', '{"\\u0061\\u002f":1,\n "a\\/":2}', '2:2', '/a~1'],
    ['with equal values', '{"a":1,"a":1}', '1:8', '/a'],
    ['not next to one another', '{"a":1,"b":[],"a":2}', '1:15', '/a'],
    ['in an object in an object', '{"x":{"a":1,"a":2}}', '1:13', '/x/a'],
    ['in an object in a list', '{"x":[{},{"a":1,"a":2}]}', '1:17', '/x/1/a'],
    ['empty', '{"":1,"":2}', '1:7', '/'],
    ['__proto__', '{"__proto__":1,"__proto__":2}', '1:16', '/__proto__'],
  ])('refuses them %s', (_title, text, where, pointer) => {
    expect(whereOf(text)).toBe(where)
    expect(defectOf(text)).toMatchObject({ pointer, defect: expect.stringContaining('occurs twice in one object') })
  })

  it.each([
    ['in different objects', '{"a":{"a":1},"b":{"a":1}}'],
    ['in the entries of a list', '{"x":[{"a":1},{"a":2}]}'],
    ['as value and as name', '{"a":"a","b":"a"}'],
    ['that differ in case', '{"a":1,"A":2}'],
    ['that look alike and are composed differently', '{"\u00e9":1,"e\u0301":2}'],
    ['that only begin alike', '{"a":1,"a\\"":2,"a\\\\":3}'],
  ])('takes equal names %s', (_title, text) => {
    expect(read(text).value).toEqual(JSON.parse(text))
  })

  it('quotes only the beginning of a long name', () => {
    const name = 'n'.repeat(1_000_000)
    expect(defectOf(`{"${name}":1,"${name}":2}`).defect.length).toBeLessThan(200)
  })
})

describe('nesting', () => {
  const lists = (depth: number) => `{"a":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`
  const objects = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`

  it.each([
    ['lists', lists],
    ['objects', objects],
  ])('takes 32 levels of %s and refuses 33', (_title, nested) => {
    expect(read(nested(32)).value).toEqual(JSON.parse(nested(32)))
    expect(defectOf(nested(33)).defect).toBe('The body is nested deeper than 32 levels.')
  })

  it('points at the bracket that is one too many', () => {
    expect(whereOf(lists(33))).toBe('1:37')
    expect(whereOf(`{\n"a":\n${lists(33)}}`)).toBe('3:36')
  })

  it('counts no brackets in strings, and none that are closed again', () => {
    const text = JSON.stringify({ a: '[{"\\'.repeat(50), b: Array.from({ length: 100 }, () => [[]]) })
    expect(read(text).value).toEqual(JSON.parse(text))
  })

  it.each([
    ['lists in a member', lists(400_000)],
    ['objects', objects(400_000)],
    ['lists that never end', '['.repeat(400_000)],
    ['objects that never end', '{"a":'.repeat(400_000)],
  ])('refuses 400,000 levels of %s in under 100 ms', (_title, text) => {
    const took = leastProcessorMs(() => expect(defectOf(text).defect).toBe('The body is nested deeper than 32 levels.'))
    expect(took).toBeLessThan(100)
  })
})

describe('text that is not JSON', () => {
  it.each([
    ['a word', '{"a":x}', '1:6'],
    ['a word that begins like one of JSON', '{"a":\n  trie}', '2:5'],
    ['a comma before the end of an object', '{"a":1,}', '1:8'],
    ['a comma before the end of a list', '{"a":[1,]}', '1:9'],
    ['a comma before the first member', '{,"a":1}', '1:2'],
    ['no comma between members', '{"a":1 "b":2}', '1:8'],
    ['no comma between entries', '{"a":[1 2]}', '1:9'],
    ['no colon', '{"a" 1}', '1:6'],
    ['a name without value', '{"a":1,\r\n"b"}', '2:4'],
    ['a name without quotes', '{a:1}', '1:2'],
    ['single quotes', "{'a':1}", '1:2'],
    ['the wrong bracket', '{"a":[1}', '1:8'],
    ['a closing bracket more', '{"a":1}}', '1:8'],
    ['trailing data', '{"a":1}\n\nx', '3:1'],
    ['two objects', '{"a":1} {"b":2}', '1:9'],
    ['a comment', '{"a":1 // one\n}', '1:8'],
    ['NaN', '{"a":NaN}', '1:6'],
    ['Infinity', '{"a":-Infinity}', '1:7'],
    ['undefined', '{"a":undefined}', '1:6'],
    ['a plus sign', '{"a":+1}', '1:6'],
    ['a leading zero', '{"a":01}', '1:7'],
    ['a hexadecimal number', '{"a":0x1F}', '1:7'],
    ['a point without digits', '{"a":1.}', '1:8'],
    ['a point without a whole number', '{"a":.5}', '1:6'],
    ['an exponent without digits', '{"a":1e}', '1:8'],
    ['a thousands separator', '{"a":1,000}', '1:8'],
    ['an unknown escape', '{"a":"\\x41"}', '1:8'],
    ['an unfinished unicode escape', '{"a":"\\u12"}', '1:11'],
    ['a line break in a string', '{"a":"one\ntwo"}', '1:10'],
    ['a tab in a string', '{"a":"\t"}', '1:7'],
    ['a form feed between the parts', '{\f"a":1}', '1:2'],
    ['a no-break space between the parts', '{\u00a0"a":1}', '1:2'],
    ['a fault behind text about a position', '{"b":"position 3",\n"a":x}', '2:5'],
    ['XML', '<a>1</a>', '1:1'],
  ])('says line and column of %s', (_title, text, where) => {
    expect(defectOf(text).defect).toMatch(/^This is not valid JSON\. [A-Z].*\.$/)
    expect(whereOf(text)).toBe(where)
  })

  it.each([
    ['an object', '{"a":1', '1:7'],
    ['a name', '{"a', '1:4'],
    ['a string', '{"a":"b\\"', '1:10'],
    ['an escape', '{"a":"b\\', '1:9'],
    ['a word', '{"a":\ntr', '2:3'],
    ['a list', '{"a":[1,\n', '2:1'],
    ['a number', '{"a":-', '1:7'],
  ])('says that the text ends within %s, and where', (_title, text, where) => {
    expect(defectOf(text).defect).toMatch(/^The JSON ends before it is complete\. [A-Z].*\.$/)
    expect(whereOf(text)).toBe(where)
  })

  it.each([
    ['{"a":1 "b":2}', 'A comma or } is expected here.'],
    ['{"a":[1 2]}', 'A comma or ] is expected here.'],
    ['{"a" 1}', 'A colon is expected here, between a name and its value.'],
    ['{a:1}', 'A name in double quotes or } is expected here.'],
    ["{'a':1}", 'Names and texts must be in double quotes.'],
    ['{"a":1,}', 'Remove the comma before }.'],
    ['{"a":[1,]}', 'Remove the comma before ].'],
    ['{"a":1} {"b":2}', 'The JSON ended before. Send one object and nothing after it.'],
    ['{"a":one}', 'A value is expected here: text in double quotes, a number, true, false, null, { or [.'],
    ['{"a":+1}', 'A number begins with a digit or a minus sign.'],
    [
      '{"a":"one\ntwo"}',
      'A text contains a line break or control character. Close the text with ", or write \\n for a line break.',
    ],
    ['{"a":[{"b":1', 'Its end lacks } ] }.'],
    ['{"a":[{"b":"c', 'Its end lacks " } ] }.'],
    [`{"a":${'['.repeat(12)}`, 'Its end lacks ] ] ] ] ] ] ] ] ] ] and more.'],
  ])('says of %s what is wrong: %s', (text, why) => {
    expect(defectOf(text).defect.replace(/^(This is not valid JSON|The JSON ends before it is complete)\. /, '')).toBe(
      why,
    )
  })

  it.each(['', ' ', '\n\t\r\n'])('says that %j is empty', (text) => {
    expect(defectOf(text)).toMatchObject({ defect: 'The body is empty. Send one JSON object.', line: 1, column: 1 })
  })

  it('says that a byte order mark is not wanted, even before right JSON', () => {
    expect(defectOf('\uFEFF{"a":1}')).toMatchObject({ line: 1, column: 1 })
    expect(defectOf('\uFEFF{"a":1}').defect).toContain('byte order mark')
  })

  it.each([
    ['[]', 'a list'],
    ['[{"a":1}]', 'a list'],
    ['"text"', 'a string'],
    ['42', 'a number'],
    ['true', 'a boolean'],
    ['null', 'null'],
  ])('refuses %s as a body that is %s', (text, what) => {
    expect(defectOf(text)).toMatchObject({ defect: `The body is ${what}. Send one JSON object.`, line: 1, column: 1 })
  })

  /** Where this engine says the fault is; it does not always say it. */
  const positionOf = (text: string): number | undefined => {
    try {
      JSON.parse(text)
      return undefined
    } catch (error) {
      const position = / at position (\d+)(?: \(line \d+ column \d+\))?$/.exec(String(error))?.[1]
      return position === undefined ? undefined : Number(position)
    }
  }

  it('finds a defect in arbitrary damaged JSON exactly when the platform does, and at the same place where it says one', () => {
    const tries = runs(3_000)
    let compared = 0
    const damaged = fc
      .tuple(
        spelledObject,
        fc.nat(),
        fc.nat(3),
        fc.constantFrom('', '"', ',', '}', ']', '{', '\\', '1', '-', 'e', '.', 'u', '\n'),
      )
      .map(([{ text }, where, cut, put]) => {
        const at = where % (text.length + 1)
        return text.slice(0, at) + put + text.slice(at + cut)
      })
    fc.assert(
      fc.property(damaged, (text) => {
        let valid = true
        try {
          JSON.parse(text)
        } catch {
          valid = false
        }
        const body = readJsonObject(text)
        if (valid) {
          if ('defect' in body) expect(body.defect).toMatch(/occurs twice|Send one JSON object/)
          return
        }
        if (!('defect' in body)) return expect.unreachable(text)
        const position = positionOf(text)
        if (position === undefined || text.trim() === '') return
        compared++
        const before = text.slice(0, position).split('\n')
        expect(`${body.line}:${body.column}`).toBe(`${before.length}:${(before.at(-1)?.length ?? 0) + 1}`)
      }),
      { numRuns: tries },
    )
    expect(compared).toBeGreaterThan(tries / 10)
  })

  it('never throws for arbitrary text', () => {
    const parts = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"',
      '\\',
      'tru',
      'null',
      '1',
      '-',
      ' ',
      '\n',
      '\f',
      'é',
      '\u0000',
    )
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: 'binary' }),
          fc.array(parts, { maxLength: 40 }).map((all) => all.join('')),
        ),
        (text) => {
          const body = readJsonObject(text)
          expect('defect' in body || 'value' in body).toBe(true)
        },
      ),
      { numRuns: runs(3_000) },
    )
  })
})

describe('numbers', () => {
  const isExact = (written: string): boolean => {
    const { inexactNumbers } = read(`{"n":${written}}`)
    if (inexactNumbers.length > 0) expect(inexactNumbers).toEqual([{ pointer: '/n', written }])
    return inexactNumbers.length === 0
  }

  it.each(
    [
      ...[
        '0',
        '-0',
        '1',
        '-1',
        '1.10',
        '1.1000000000000000000',
        '0.1',
        '1e3',
        '1E+3',
        '1.5e3',
        '0.00001',
        '0e999',
        '0.0e-999',
      ],
      ...[
        '9007199254740993e0',
        '123456789012345',
        '-0.123456789012345',
        '5e-324',
        '1.7976931348623157e308',
        '1e22',
        '1e23',
      ],
      ...['100000000000000000000', '0.000000000000000000001', '10e-1', '1e-7', '2.2250738585072014e-308'],
    ].filter((written) => written !== '9007199254740993e0'),
  )('keeps %s', (written) => {
    expect(isExact(written)).toBe(true)
  })

  it.each([
    ...['1e999', '1E400', '-1e309', '1e-999', '4e-324', '12345678901234567890', '0.1234567890123456789'],
    ...[
      '9007199254740993',
      '9007199254740993e0',
      '1.00000000000000000001',
      '1e99999999999999999999',
      '1e-99999999999999999999',
    ],
    ...['0.1000000000000000055511151231257827', '1.7976931348623159e308', '-12345678901234567.5'],
  ])('reports %s, which a double would change', (written) => {
    expect(isExact(written)).toBe(false)
  })

  /** A decimal number as mantissa and power of ten, in whole-number arithmetic without limits. */
  const exactly = (written: string): { mantissa: bigint; power: bigint } => {
    const [number = '', exponent = '0'] = written.toLowerCase().split('e')
    const [whole = '', fraction = ''] = number.split('.')
    return { mantissa: BigInt(whole + fraction), power: BigInt(exponent) - BigInt(fraction.length) }
  }
  const sameNumber = (a: string, b: string): boolean => {
    const [left, right] = [exactly(a), exactly(b)]
    const least = left.power < right.power ? left.power : right.power
    return left.mantissa * 10n ** (left.power - least) === right.mantissa * 10n ** (right.power - least)
  }

  it('reports exactly the numbers whose nearest double prints as another number, by whole-number arithmetic', () => {
    const digits = fc.oneof(
      fc.stringMatching(/^(0|[1-9]\d{0,24})$/),
      fc.integer().map((n) => String(Math.abs(n))),
    )
    const written = fc
      .tuple(
        fc.constantFrom('', '-'),
        digits,
        fc.oneof(fc.constant(''), fc.stringMatching(/^\.\d{1,25}$/), fc.stringMatching(/^\.\d{1,3}0{1,20}$/)),
        fc.oneof(
          fc.constant(''),
          fc.tuple(fc.constantFrom('e', 'E', 'e+', 'E-', 'e-'), fc.nat(340)).map(([e, power]) => e + power),
        ),
      )
      .map((parts) => parts.join(''))
    // Enough that the share below is six standard deviations away.
    const tries = runs(5_000, 2_000)
    let [kept, reported] = [0, 0]
    fc.assert(
      fc.property(fc.oneof(written, fc.double({ noNaN: true, noDefaultInfinity: true }).map(String)), (text) => {
        const nearest = Number(text)
        const expected = Number.isFinite(nearest) && sameNumber(text, String(nearest))
        expected ? kept++ : reported++
        expect(isExact(text)).toBe(expected)
      }),
      { numRuns: tries },
    )
    expect(Math.min(kept, reported)).toBeGreaterThan(tries / 25)
  })

  it('names the place of each, in lists and objects', () => {
    expect(read('{"a":[1,{"b/c":1e999},1e400],"d":1}').inexactNumbers).toEqual([
      { pointer: '/a/1/b~1c', written: '1e999' },
      { pointer: '/a/2', written: '1e400' },
    ])
  })

  it('takes digits in strings for text', () => {
    expect(read('{"a":"12345678901234567890","1e999":"1e999"}').inexactNumbers).toEqual([])
  })

  it('reads a number of ten million digits in bounded time', () => {
    const started = processorMs()
    expect(read(`{"a":${'9'.repeat(10_000_000)}}`).inexactNumbers).toHaveLength(1)
    expect(read(`{"a":0.${'0'.repeat(5_000_000)}${'10'.repeat(2_500_000)}}`).inexactNumbers).toHaveLength(1)
    expect(processorMs() - started).toBeLessThan(bound)
  })
})

describe('where the parts lie', () => {
  it('gives spans that slice back to the members and their entries, however the text is spaced', () => {
    fc.assert(
      fc.property(spelledObject, ({ value, text }) => {
        const { value: parsed, parts, spaced, text: kept } = read(text)
        const { members, elements } = parts()
        expect(kept).toBe(text)
        expect(canonicalJson(parsed)).toBe(canonicalJson(value))
        expect([...members.keys()].sort()).toEqual(Object.keys(value).sort())
        for (const [name, { start, end }] of members) {
          const part = text.slice(start, end)
          expect(part).toBe(part.trim())
          expect(canonicalJson(JSON.parse(part))).toBe(canonicalJson(value[name]))
          const list: unknown = value[name]
          const spans = elements.get(name) ?? []
          expect(spans.map((span) => canonicalJson(JSON.parse(text.slice(span.start, span.end))))).toEqual(
            Array.isArray(list) ? list.map(canonicalJson) : [],
          )
        }
        expect([...elements.keys()].every((name) => members.has(name))).toBe(true)
        if (!spaced) expect(withoutSpaces(text)).toBe(text)
      }),
      { numRuns: runs(2_000) },
    )
  })

  it('are looked for once, however often they are asked for: a create asks for each of its records', () => {
    const { parts } = read('{"list":[{"a":1},{"b":2}]}')
    expect(parts()).toBe(parts())
  })

  it('finds the entries of a list that is not the first member, with lists in them', () => {
    const text = '{ "x" : {"l":[1]} , "list" : [ [1, 2] , "a,]b" , {"c":[3]} , 4 ] }'
    const { elements } = read(text).parts()
    expect([...elements.keys()]).toEqual(['list'])
    expect(elements.get('list')?.map(({ start, end }) => text.slice(start, end))).toEqual([
      '[1, 2]',
      '"a,]b"',
      '{"c":[3]}',
      '4',
    ])
  })
})

describe('text without spaces', () => {
  it('has the same value, key order and spelling of every string and number, and no space between the parts', () => {
    fc.assert(
      fc.property(spelledObject, ({ text }) => {
        const packed = withoutSpaces(text)
        expect(JSON.stringify(JSON.parse(packed))).toBe(JSON.stringify(JSON.parse(text)))
        expect(read(packed).spaced).toBe(false)
        const strings = /"(?:[^"\\]|\\.)*"/g
        expect(packed.match(strings)).toEqual(text.match(strings))
      }),
      { numRuns: runs(2_000) },
    )
  })

  it('leaves spaces, quotes and backslashes in strings as they are', () => {
    expect(withoutSpaces('{ "a b" : " \\" \\\\" ,\n\t"c" : 1.10e+2 , "d\\\\" : [ 1 , 2 ] }\r\n')).toBe(
      '{"a b":" \\" \\\\","c":1.10e+2,"d\\\\":[1,2]}',
    )
  })

  it.each([
    ['one string', `{ "a" : "${'x'.repeat(10_000_000)}" }`],
    ['one string of escapes', `{ "a" : "${'\\n'.repeat(5_000_000)}" }`],
    ['one string of backslashes', `{ "a" : "${'\\\\'.repeat(5_000_000)}" }`],
    ['spaces', `{ "a" :${' '.repeat(10_000_000)}1 }`],
  ])('takes ten megabytes of %s', (_title, text) => {
    const started = processorMs()
    expect(withoutSpaces(text).length).toBe(text.replaceAll(' ', '').length)
    expect(processorMs() - started).toBeLessThan(bound)
  })
})

describe('more parts than a body may have are reported before they are created', () => {
  const zeros = (count: number) => `[${Array.from({ length: count }, () => 0).join(',')}]`

  it('takes as many entries in one list as all lists may have', () => {
    expect(read(`{"a":${zeros(listEntriesMax)}}`).value.a).toHaveLength(listEntriesMax)
  })

  it('refuses the entries beyond them where they begin, whichever lists they are in', () => {
    const half = zeros(listEntriesMax / 2 + 2)
    // One comma fewer than entries in each of the two lists: the last but one of the second list is
    // the first too many.
    const at = half.lastIndexOf(',', half.lastIndexOf(',') - 1)
    expect(defectOf(`{"a":${half},\n"b":${half}}`)).toEqual({
      defect: `The lists of the body have more than ${listEntriesMax} entries together. Send fewer records at once.`,
      line: 2,
      column: '"b":'.length + at + 1,
    })
  })

  it('takes as many objects and lists as it may have, and refuses one more', () => {
    // Each entry holds an object; the body and its list count as well.
    const entries = (nestedPartsMax - 2) / 2
    const body = (last: string) => `{"a":[${'{"b":{}},'.repeat(entries - 1)}{"b":${last}}]}`
    expect(read(body('{}')).value.a).toHaveLength(entries)
    expect(defectOf(body('{"c":[]}')).defect).toBe(
      `The body has more than ${nestedPartsMax} objects and lists. Send fewer records at once.`,
    )
  })
})

describe('bodies of ten megabytes', () => {
  const tenMegabytes = 10 * 1024 * 1024
  const lines = JSON.stringify(
    Array.from({ length: 40_000 }, (_, i) => ({
      vendorItemCode: `ITEM-${i}`,
      shipQuantity: 56.25,
      shipQuantityUom: 'case',
      caseLotNumber: `LOT-${i}`,
      tlcSourceReferenceUrl: 'https://trace.example.com/source/gv-1?site=salinas&block=c',
      productionDate: '2026-03-04',
    })),
    null,
    1,
  )

  it.each([
    ['product lines', `{"eventList":{"productList":${lines}}}`],
    ['one string', `{"a":"${'x'.repeat(tenMegabytes)}"}`],
    ['escaped quotes', `{"a":"${'\\"'.repeat(tenMegabytes / 2)}"}`],
    ['backslashes', `{"a":"${'\\\\'.repeat(tenMegabytes / 2)}"}`],
    ['long texts', `{"a":[${`"${'x'.repeat(tenMegabytes / listEntriesMax)}",`.repeat(listEntriesMax)}0]}`],
    ['inexact numbers', `{"a":[${`${'9'.repeat(tenMegabytes / listEntriesMax)},`.repeat(listEntriesMax)}0]}`],
    ['line breaks', `{${'\n'.repeat(tenMegabytes)}}`],
  ])('of %s are read in bounded time', (title, text) => {
    const started = processorMs()
    expect(Object.keys(read(text).value).length).toBeGreaterThanOrEqual(title === 'line breaks' ? 0 : 1)
    const took = processorMs() - started
    console.info(`read ${(text.length / 1e6).toFixed(1)} MB of ${title} in ${took.toFixed(0)} ms`)
    expect(took).toBeLessThan(bound)
  })

  it.each([
    ['at its end', `{"eventList":{"productList":${lines}}`],
    ['in its last line', `{"eventList":{"productList":${lines}},x}`],
    ['behind line breaks', `{${'\n'.repeat(tenMegabytes)}x}`],
    ['behind a long string', `{"a":"${'x'.repeat(tenMegabytes)}" x}`],
    ['by too many empty objects', `{"a":[${'{},'.repeat(tenMegabytes / 3)}{}]}`],
    ['by too many zeros', `{"a":[${'0,'.repeat(tenMegabytes / 2)}0]}`],
    ['by too many objects in objects', `{"a":[${'{"a":{"a":{"a":{}}}},'.repeat(tenMegabytes / 21)}0]}`],
    ['by too many names', `{${Array.from({ length: 700_000 }, (_, i) => `"name${i}":1`).join(',')}}`],
  ])('that are broken %s are refused in bounded time', (title, text) => {
    const started = processorMs()
    expect(defectOf(text).line).toBeGreaterThan(0)
    const took = processorMs() - started
    console.info(`refused ${(text.length / 1e6).toFixed(1)} MB broken ${title} in ${took.toFixed(0)} ms`)
    expect(took).toBeLessThan(bound)
  })
})
