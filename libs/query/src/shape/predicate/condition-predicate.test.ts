import {
  boolean,
  buildModel,
  byteArray,
  compositionOfMany,
  decimal,
  double,
  elements,
  embeddable,
  embedded,
  enumeration,
  enumOf,
  integer,
  localDate,
  localDateTime,
  localTime,
  long,
  offsetDateTime,
  standardEntity,
  string,
  toOne,
  uuid,
} from '@lintel/metadata';
import { parsePolicyCondition } from '../../parse/language/parse-language.ts';
import { conditionPredicate } from './condition-predicate.ts';

const Status = enumeration('t.Status', { NEW: 10, DONE: 20 });
const model = buildModel({
  enums: [Status],
  entities: [
    embeddable('t_Address', { attributes: { country: string(2) } }),
    standardEntity('t_Owner', { attributes: { name: string(50), address: embedded('t_Address') } }),
    standardEntity('t_Part', { attributes: { thing: toOne('t_Thing'), weight: integer() } }),
    standardEntity('t_Thing', {
      attributes: {
        name: string(50),
        status: enumOf(Status),
        price: decimal(19, 2),
        weight: double(),
        count: integer(),
        serial: long(),
        bytes: byteArray(),
        isOpen: boolean(),
        day: localDate(),
        at: localDateTime(),
        moment: offsetDateTime(),
        time: localTime(),
        external: uuid(),
        owner: toOne('t_Owner'),
        parts: compositionOfMany('t_Part', 'thing'),
        tags: elements(20),
      },
    }),
  ],
});
const entity = model.entities.get('t_Thing');
if (entity === undefined) throw new Error('The model has t_Thing');

const predicateOf = (text: string) => conditionPredicate(model, entity, parsePolicyCondition(text));
const session = (name: string): unknown =>
  ({ current_user_country: 'DE', current_user_username: 'anna', current_user_level: 'high' })[name];

const OWNER = '7b3c2a10-0000-4000-8000-000000000001';
const thing = {
  name: 'Éclair',
  status: 'NEW',
  price: '10.50',
  weight: 1.5,
  count: 3,
  serial: '9007199254740993',
  bytes: 'AQI=',
  isOpen: true,
  day: '2026-11-21',
  at: '2026-11-21T10:00:00.000',
  moment: '2026-11-21T10:00:00.000+02:00',
  time: '10:00:00',
  external: OWNER,
  owner: { id: OWNER, name: 'Anna', address: { country: 'DE' } },
};

// Asserts contract/decisions.md#59, contract/row-policies.md#policies.
test.each([
  [`{E}.name = 'Éclair'`],
  [`{E}.name <> 'other'`],
  [`{E}.name like 'Écl%'`],
  [`{E}.name like '_clair'`],
  [`{E}.name not like 'x%'`],
  [`{E}.name like '%!%' escape '!' or {E}.name like 'É%r'`],
  [`lower({E}.name) = 'éclair'`],
  [`upper({E}.name) like 'ÉC%'`],
  [`concat({E}.name, '-', {E}.owner.name) = 'Éclair-Anna'`],
  [`coalesce({E}.owner.address.country, 'FR') = 'DE'`],
  [`length({E}.name) = 6`],
  [`{E}.count between 3 and 4`],
  [`{E}.count < {E}.price`],
  [`{E}.weight < {E}.count`],
  [`{E}.price > {E}.weight`],
  [`lower({E}.name) in ('a', 'éclair')`],
  [`lower({E}.owner.address.country) is not null`],
  [`{E}.owner.name = {E}.owner.name`],
  [`{E}.status = 'NEW'`],
  [`{E}.status in ('NEW', 'DONE')`],
  [`{E}.price = 10.5`],
  [`{E}.price > 10.49 and {E}.price < 10.51`],
  [`{E}.weight >= 1.5`],
  [`{E}.count >= 3 and {E}.count <= 4`],
  [`{E}.serial = 9007199254740993`],
  [`{E}.serial > 9007199254740992`],
  [`{E}.isOpen = true`],
  [`{E}.day < '2026-12-01'`],
  [`{E}.at <= '2026-11-21T10:00'`],
  [`{E}.moment = '2026-11-21T08:00:00Z'`],
  [`{E}.time > '09:59'`],
  [`{E}.external = '${OWNER.toUpperCase()}'`],
  [`{E}.owner = '${OWNER}'`],
  [`{E}.owner.address.country = :current_user_country`],
  [`{E}.owner.address.country in (:current_user_country, 'FR')`],
  [`not ({E}.name = 'x') and ({E}.count = 1 or {E}.count = 3)`],
  [`{E}.owner is not null`],
  [`{E}.name not in ('a', 'b')`],
])('%s holds', (text) => {
  expect(predicateOf(text).test(thing, session)).toBe(true);
});

// Asserts contract/decisions.md#59, contract/row-policies.md#policies.
test.each([
  [`{E}.name = 'eclair'`],
  [`{E}.serial = 9007199254740992`],
  [`{E}.price = 10.51`],
  [`{E}.status = 'DONE'`],
  [`{E}.owner is null`],
  [`{E}.owner.name = :current_user_username`],
])('%s does not hold', (text) => {
  expect(predicateOf(text).test(thing, session)).toBe(false);
});

// Asserts contract/decisions.md#59, contract/row-policies.md#policies.
test.each([
  [`{E}.name = 'a'`],
  [`not ({E}.name = 'a')`],
  [`{E}.name <> 'a'`],
  [`{E}.name in ('a', 'b')`],
  [`{E}.name not in ('a', 'b')`],
  [`{E}.owner.address.country = 'DE'`],
  [`{E}.count > 1 and {E}.count < 1000`],
])('%s is undecided for an instance without values, and so does not hold', (text) => {
  expect(predicateOf(text).test({}, session)).toBe(false);
});

test('an undecided part leaves the whole to the others', () => {
  expect(predicateOf(`{E}.name = 'a' or {E}.count = 3`).test({ count: 3 }, session)).toBe(true);
  expect(predicateOf(`not ({E}.name = 'a' and {E}.count = 4)`).test({ count: 3 }, session)).toBe(true);
});

// Asserts contract/row-policies.md#policies.
test('what the caller does not have, or has in another form, matches nothing', () => {
  expect(predicateOf(`{E}.name = :current_user_nickname`).test(thing, session)).toBe(false);
  expect(predicateOf(`{E}.name <> :current_user_nickname`).test(thing, session)).toBe(false);
  expect(predicateOf(`{E}.count = :current_user_level`).test(thing, session)).toBe(false);
  expect(predicateOf(`{E}.name like :current_user_nickname`).test(thing, session)).toBe(false);
});

test('without ESCAPE all characters but the wildcards stand for themselves, as in the database', () => {
  expect(predicateOf(`{E}.name like 'a\\_'`).test({ name: 'a\\b' }, session)).toBe(true);
  expect(predicateOf(`{E}.name like 'a\\_'`).test({ name: 'a_' }, session)).toBe(false);
});

// Asserts contract/row-policies.md#reading.
test('the paths that it reads are returned', () => {
  expect(predicateOf(`{E}.owner.address.country = 'DE' and {E}.owner = '${OWNER}'`).dependsOn).toEqual([
    'owner.address.country',
    'owner',
  ]);
});

test.each([
  [`{E}.parts.weight = 1`, 'parts.weight leads to many instances'],
  [`{E}.tags = 'a'`, 'tags has no single value'],
  [`{E}.nothing = 1`, 'Property for t_Thing not found: nothing'],
  [`{E}.count = 'many'`, 'many'],
  [`{E}.parts is empty`, 'cannot ask for a collection'],
  [`exists (select p from t_Part p where p.thing = {E})`, 'cannot ask for a subquery'],
  [`{E}.count + 1 = 2`, 'cannot ask for what the database computes'],
  [`{E}.name like {E}.owner.name escape '!'`, 'a pattern with ESCAPE and the escape character are constants'],
  [`{E}.name like 'a' escape :current_user_level`, 'a pattern with ESCAPE and the escape character are constants'],
  [`abs({E}.count) = 2`, 'cannot ask for the function abs'],
  [`{E}.day < current_date`, 'cannot ask for what the database computes'],
])('%s is refused when it is read', (text, message) => {
  expect(() => predicateOf(text)).toThrow(message);
});
