import {
  buildModel,
  decimal,
  enumeration,
  enumOf,
  softDeletedEntity,
  standardEntity,
  string,
  toMany,
  toOne,
} from '@lintel/metadata';
import { parameterTypeNamed } from '@lintel/query';
import { bindQueries, locatedInCode } from './bind-queries.ts';
import { parseQueries } from './parse-queries.ts';
import { predefinedQuery, QueryDefinitionError } from './query-definition.ts';

const Status = enumeration('t.Status', { OPEN: 1, SHUT: 2 });

const model = buildModel({
  enums: [Status],
  entities: [
    softDeletedEntity('t_Order', {
      attributes: {
        number: string(20),
        amount: decimal(19, 2),
        status: enumOf(Status),
        pin: string(4).secret(),
        lines: toMany('t_Line', 'order'),
      },
      instanceName: ['number'],
    }),
    standardEntity('t_Line', { attributes: { order: toOne('t_Order'), note: string() } }),
  ],
});

const read = (...bodies: readonly string[]) =>
  bindQueries(
    bodies.flatMap((body, at) => parseQueries({ name: `q${at + 1}.xml`, text: `<queries>\n${body}\n</queries>` })),
    model,
  );

const SELECT = 'select o from t_Order o';
const query = (text: string, rest = 'name="q" entity="t_Order" fetchPlan="_local"', params = '') =>
  `<query ${rest}>\n  <jpql>${text}</jpql>\n  ${params}\n</query>`;
const params = (...list: readonly (readonly [string, string])[]) =>
  `<params>${list.map(([name, type]) => `<param name="${name}" type="${type}"/>`).join('')}</params>`;

test('a query may be deprecated', () => {
  const rest = 'name="old" entity="t_Order" fetchPlan="_local" deprecatedSince="2026-01-31"';
  const more = `${rest} deprecatedSunset="2027-06-30" deprecatedLink="https://example.org/changes"`;
  const deprecatedOf = (given: string) => read(query(SELECT, given)).get('t_Order')?.get('old')?.deprecated;
  expect(deprecatedOf(rest)).toEqual({ since: '2026-01-31' });
  expect(deprecatedOf(more)).toEqual({
    since: '2026-01-31',
    sunset: '2027-06-30',
    link: 'https://example.org/changes',
  });
  expect(() => deprecatedOf(rest.replace('Since', 'Sunset'))).toThrow(
    'q1.xml, line 2, column 1, query old: the attribute "deprecatedSunset" needs "deprecatedSince"',
  );
  expect(() => deprecatedOf(rest.replace('01-31', '02-31'))).toThrow(
    '"deprecatedSince" must be a day, such as 2026-01-31',
  );
});

// Asserts contract/queries.md#definitions.
test('a query has its text, plan, parameters and defaults', () => {
  const bound = read(
    query(
      `${SELECT} where o.amount &lt; :most and o.number in :numbers`,
      'name="cheap" entity="t_Order" fetchPlan="_local" cacheable="true" limit="3" offset="2" anonymousAllowed="true"',
      params(['most', 'java.math.BigDecimal'], ['numbers', 'java.lang.String[]']),
    ),
  );
  expect(bound.get('t_Order')?.get('cheap')).toMatchObject({
    name: 'cheap',
    entity: 't_Order',
    text: `${SELECT} where o.amount < :most and o.number in :numbers`,
    fetchPlan: '_local',
    cacheable: true,
    limit: 3,
    offset: 2,
    anonymousAllowed: true,
    returns: 'instances',
    declared: [
      { name: 'most', typeName: 'java.math.BigDecimal', type: { datatype: 'decimal' }, isList: false },
      { name: 'numbers', typeName: 'java.lang.String[]', type: { datatype: 'string' }, isList: true },
    ],
  });
});

test.each([
  'select distinct o from t_Order o join o.lines l order by o.number desc, size(o.lines), o',
  'select distinct o from t_Line l join l.order o order by lower(o.number), (select count(x) from o.lines x)',
  'select distinct l.order from t_Line l order by l.order.number',
])('%s: the order of distinct instances is one value of each', (text) => {
  expect(read(query(text)).get('t_Order')?.get('q')).toMatchObject({ returns: 'instances' });
});

test.each([
  'select distinct l.id as id from t_Line l order by id, l.id',
  'select distinct l.note as note, l.order.number as number from t_Line l order by upper(l.note), l.order.number',
  'select distinct o.status, count(o) from t_Order o group by o.status, o.number order by count(o), o.status',
])('%s: the order of distinct values is one value of each', (text) => {
  expect(read(query(text, 'name="q" entity="t_Order"')).get('t_Order')?.get('q')).toMatchObject({ returns: 'values' });
});

test('a reference of a distinct instance has one value, too', () => {
  const bound = read(
    query(
      'select distinct l from t_Line l left join l.order o join o.lines other order by o.number, l.order.amount',
      'name="q" entity="t_Line" fetchPlan="_local"',
    ),
  );
  expect(bound.get('t_Line')?.get('q')).toMatchObject({ returns: 'instances' });
});

test('a query that selects values needs no fetch plan', () => {
  const bound = read(query('select sum(o.amount) as total from t_Order o', 'name="total" entity="t_Order"'));
  expect(bound.get('t_Order')?.get('total')).toMatchObject({ returns: 'values' });
});

test('what the answer depends on is known: every entity of the text', () => {
  const bound = read(query(`${SELECT} where exists (select l from t_Line l where l.order = o)`));
  expect(bound.get('t_Order')?.get('q')?.entities).toEqual(['t_Order', 't_Line']);
});

// Asserts contract/decisions.md#66, contract/queries.md#definitions.
test('two queries of one entity and name are refused with both places; other entities have their own', () => {
  const of = (entity: string) => query(`select o from ${entity} o`, `name="q" entity="${entity}" fetchPlan="_local"`);
  expect([...read(`${of('t_Order')}${of('t_Line')}`).keys()]).toEqual(['t_Order', 't_Line']);
  expect(() => read(`${of('t_Order')}\n${of('t_Order')}`)).toThrow(
    'q1.xml, query q of t_Order: the query is defined twice: in q1.xml, line 2 and in q1.xml, line 6',
  );
  expect(() => read(of('t_Order'), of('t_Order'))).toThrow(
    'q2.xml, query q of t_Order: the query is defined twice: in q1.xml, line 2 and in q2.xml, line 2',
  );
  const inCode = locatedInCode(predefinedQuery('t_Order', 'q', { text: SELECT, fetchPlan: '_local' }));
  expect(() =>
    bindQueries([inCode, ...parseQueries({ name: 'q.xml', text: `<queries>${of('t_Order')}</queries>` })], model),
  ).toThrow(
    'q.xml, query q of t_Order: the query is defined twice: in the code of the application and in q.xml, line 1',
  );
});

// Asserts contract/queries.md#definitions.
test('a query can be written in code', () => {
  const definition = predefinedQuery('t_Order', 'open', {
    text: `${SELECT} where o.status = :status`,
    fetchPlan: '_local',
    parameters: { status: 't.Status' },
  });
  const bound = bindQueries([locatedInCode(definition)], model)
    .get('t_Order')
    ?.get('open');
  expect(bound?.declared).toMatchObject([{ name: 'status', isList: false, type: { kind: 'enum' } }]);
  const wrong = predefinedQuery('t_Order', 'open', { text: 'select o\nfrom t_Ordr o', fetchPlan: '_local' });
  expect(() => bindQueries([locatedInCode(wrong)], model)).toThrow(
    'query open of t_Order, line 2, column 6: Unknown entity t_Ordr; did you mean t_Order?',
  );
});

// Asserts contract/queries.md#parameters.
test.each([
  ['java.lang.String', 'string'],
  ['java.lang.Integer', 'int'],
  ['int', 'int'],
  ['java.lang.Byte', 'short'],
  ['short', 'short'],
  ['java.lang.Long', 'long'],
  ['java.lang.Double', 'double'],
  ['java.lang.Float', 'float'],
  ['java.math.BigDecimal', 'decimal'],
  ['java.math.BigInteger', 'bigInteger'],
  ['java.lang.Boolean', 'boolean'],
  ['java.util.Date', 'dateTime'],
  ['java.sql.Date', 'date'],
  ['java.time.LocalDate', 'localDate'],
  ['java.time.LocalDateTime', 'localDateTime'],
  ['java.time.LocalTime', 'localTime'],
  ['java.time.OffsetDateTime', 'offsetDateTime'],
  ['java.time.OffsetTime', 'offsetTime'],
  ['java.util.UUID', 'uuid'],
  ['UUID', 'uuid'],
  ['uuid', 'uuid'],
])('a parameter of type %s is a %s, alone and as a collection', (name, datatype) => {
  const type = { kind: 'datatype', datatype };
  expect(parameterTypeNamed(model, name)).toEqual({ type, isList: false });
  expect(parameterTypeNamed(model, `${name}[]`)).toEqual({ type, isList: true });
});

test.each([
  [
    'an unknown entity in the text',
    query('select o from t_Ordr o'),
    /q1\.xml, query q of t_Order, line 3, column 23: Unknown entity t_Ordr; did you mean t_Order\?/,
  ],
  [
    'an unknown attribute',
    query(`${SELECT}\n  where o.numbr = '1'`),
    /line 4, column 9: t_Order has no attribute numbr; did you mean number\?/,
  ],
  [
    'an unknown attribute behind an entity reference',
    query(`${SELECT} where o.amount &lt; 1 and o.numbr = '1'`),
    /line 3, column 59: t_Order has no attribute numbr/,
  ],
  [
    'an unknown attribute in CDATA',
    query(`<![CDATA[\n\n${SELECT} where o.amount < 1 and o.numbr = '1']]>`),
    /line 5, column 48: t_Order has no attribute numbr/,
  ],
  ['a secret attribute', query(`${SELECT} where o.pin = '1'`), /t_Order has no attribute pin/],
  ['an unknown variable', query('select x from t_Order o'), /Unknown variable x: expected o/],
  [
    'a syntax error',
    query(`${SELECT} wher o.number = '1'`),
    /line 3, column 33: Expected the end of the text, but found wher/,
  ],
  ['a text that ends', query(`${SELECT} where`), /line 3, column 38: Expected .*, but the text ends/],
  [
    'types that do not fit',
    query(`${SELECT} where o.amount = 'many'`),
    /Expected a value of type decimal, but found 'many'/,
  ],
  [
    'an unknown constant',
    query(`${SELECT} where o.status = 'LOST'`),
    /Expected a constant of t\.Status: OPEN, SHUT, but found 'LOST'/,
  ],
  [
    'a parameter of another type',
    query(`${SELECT} where o.amount = :x`, undefined, params(['x', 'string'])),
    /decimal cannot be compared with string/,
  ],
  ['a parameter that is not declared', query(`${SELECT} where o.number = :x`), /The parameter :x is not declared/],
  [
    'a parameter that is not used',
    query(SELECT, undefined, params(['x', 'string'])),
    /The parameter x is declared, but not used/,
  ],
  [
    'a collection as a single value',
    query(`${SELECT} where o.number = :x`, undefined, params(['x', 'string[]'])),
    /:x is a collection/,
  ],
  [
    'an order in a subquery',
    query(`${SELECT} where exists (select l from t_Line l order by l.note)`),
    /A subquery has no order/,
  ],
  ['the instance of a policy', query(`${SELECT} where {E}.number = '1'`), /line 3, column 39: Unknown variable \{E\}/],
  [
    'an unknown type',
    query(`${SELECT} where o.number = :x`, undefined, params(['x', 'com.acme.Thing'])),
    /unknown type com\.acme\.Thing/,
  ],
  [
    'an entity as a parameter',
    query(`${SELECT} where o.number = :x`, undefined, params(['x', 't_Line'])),
    /unknown type t_Line/,
  ],
  [
    'the name of a control',
    query(`${SELECT} where o.number = :limit`, undefined, params(['limit', 'string'])),
    /limit is a parameter of every query/,
  ],
  [
    'instances of another entity',
    query('select l from t_Line l'),
    /The query is of t_Order, but selects instances of t_Line/,
  ],
  [
    'a path through a collection',
    query(`${SELECT} where o.lines.note = 'x'`),
    /t_Order\.lines is a collection: join it/,
  ],
  [
    'a pattern that ends with its escape character',
    query(`${SELECT} where o.number like '10!!!' escape '!'`),
    /line 3, column 53: The pattern ends with its escape character/,
  ],
  [
    'an escape of two characters',
    query(`${SELECT} where o.number like 'a%' escape '!!'`),
    /Expected one character after ESCAPE/,
  ],
  [
    'what is not grouped',
    query('select o.number, sum(o.amount) from t_Order o group by o.status', 'name="q" entity="t_Order"'),
    /The selected value number must be in GROUP BY/,
  ],
  [
    'an order of distinct instances by the members of a collection',
    query('select distinct o from t_Order o join o.lines l order by o.number, l.note'),
    /line 3, column 76: With DISTINCT, what ORDER BY names must be selected/,
  ],
  [
    'an order of distinct instances by where they were come from',
    query('select distinct l.order from t_Line l order by l.order.number, l.note'),
    /With DISTINCT, what ORDER BY names must be selected/,
  ],
  [
    'an order of distinct values by another one',
    query('select distinct o.status as status from t_Order o order by o.number', 'name="q" entity="t_Order"'),
    /With DISTINCT, what ORDER BY names must be selected/,
  ],
  [
    'an order of distinct groups by an aggregate that is not selected',
    query(
      'select distinct o.status from t_Order o group by o.status, o.number order by count(o)',
      'name="q" entity="t_Order"',
    ),
    /With DISTINCT, what ORDER BY names must be selected/,
  ],
  [
    'an aggregate in where',
    query(`${SELECT} where sum(o.amount) > 1`),
    /SUM cannot stand in a condition on single rows/,
  ],
  [
    'a function of the database',
    query(`${SELECT} where function('pg_sleep', 1) = '1'`),
    /functions of the database cannot be called/,
  ],
  ['an unknown function', query(`${SELECT} where lowr(o.number) = '1'`), /Unknown function lowr; did you mean lower\?/],
  ['the reserved name', query(SELECT, 'name="ALL" entity="t_Order" fetchPlan="_local"'), /the name all is reserved/],
  [
    'no name',
    query(SELECT, 'entity="t_Order" fetchPlan="_local"'),
    /q1\.xml, line 2, column 1: expected the attribute "name"/,
  ],
  ['no entity', query(SELECT, 'name="q" fetchPlan="_local"'), /expected the attribute "entity"/],
  ['an unknown entity', query(SELECT, 'name="q" entity="t_No" fetchPlan="_local"'), /there is no stored entity t_No/],
  ['no plan', query(SELECT, 'name="q" entity="t_Order"'), /expected a fetch plan: _base, _local, _instance_name/],
  [
    'an unknown plan',
    query(SELECT, 'name="q" entity="t_Order" fetchPlan="nope"'),
    /there is no fetch plan nope of t_Order/,
  ],
  ['a plan for values', query('select o.number from t_Order o'), /a query that selects values has no fetch plan/],
  [
    'a limit that is no number',
    query(SELECT, 'name="q" entity="t_Order" fetchPlan="_local" limit="-1"'),
    /expected a number that is not negative for "limit"/,
  ],
  [
    'a flag that is none',
    query(SELECT, 'name="q" entity="t_Order" fetchPlan="_local" cacheable="yes"'),
    /expected true or false for "cacheable"/,
  ],
  [
    'an unknown attribute of XML',
    query(SELECT, 'name="q" entity="t_Order" fetchPlan="_local" plan="x"'),
    /the attribute "plan" is not known/,
  ],
  ['no text', '<query name="q" entity="t_Order" fetchPlan="_local"/>', /expected the element <jpql>/],
  ['an empty text', query(' '), /<jpql> is empty/],
  [
    'an unknown element',
    '<query name="q" entity="t_Order"><sql>x</sql></query>',
    /line 2, column 34, query q: <sql> is not known here/,
  ],
  ['another root', '<jpql>x</jpql>', /<jpql> is not known here, expected <query>/],
  [
    'a doubled parameter',
    // Asserts contract/decisions.md#53, contract/queries.md#definitions, contract/queries.md#parameters.
    query(SELECT, undefined, params(['x', 'string'], ['x', 'int'])),
    /two parameters of the name x/,
  ],
  ['malformed XML', '<query', /^q1\.xml: line \d+, column \d+/],
])('%s is refused with its place', (_, body, message) => {
  expect(() => read(body)).toThrow(QueryDefinitionError);
  expect(() => read(body)).toThrow(message);
});
