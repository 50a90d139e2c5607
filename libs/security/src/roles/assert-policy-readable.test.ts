import { buildModel, decimal, standardEntity, string, toOne } from '@lintel/metadata';
import { type Condition, parsePolicyCondition, type ReadAccess } from '@lintel/query';
import { ROLE_ENTITIES } from '../entities/role-entities.ts';
import { User } from '../entities/system-entities.ts';
import { assertPolicyReadable } from '../index.ts';

const model = buildModel({
  entities: [
    User,
    ...ROLE_ENTITIES,
    standardEntity('t_Owner', { attributes: { country: string(2), credit: decimal(19, 2) } }),
    standardEntity('t_Thing', { attributes: { name: string(50), price: decimal(19, 2), owner: toOne('t_Owner') } }),
  ],
});

const SHOWN: Readonly<Record<string, readonly string[]>> = {
  t_Owner: ['id', 'country'],
  t_Thing: ['id', 'name', 'owner'],
  sec_User: ['country'],
};

/** An author who sees the attributes of these entities, and of some only the rows that satisfy a condition. */
const author = (
  shown: Readonly<Record<string, readonly string[]>> = SHOWN,
  rows: Readonly<Record<string, Condition>> = {},
): ReadAccess => ({
  fingerprint: 'author',
  entity: (name) => ({
    canRead: name in shown,
    mayView: (attribute) => shown[name]?.includes(attribute) === true,
    rows: rows[name],
    predicates: [],
  }),
});

interface Text {
  readonly where?: string;
  readonly join?: string;
  readonly script?: string;
}

const policy = ({ where, join, script }: Text) => ({
  ...{ type: script === undefined ? 'query' : 'predicate', entityName: 't_Thing', action: 'read' },
  ...{ whereClause: where ?? null, joinClause: join ?? null, script: script ?? null },
});
const check = (text: Text, access: ReadAccess) => assertPolicyReadable(model, policy(text), access);

// Asserts contract/row-policies.md#authors.
test.each([
  [{ where: '{E}.price > 1' }, 't_Thing.price'],
  [{ where: '{E}.owner.credit > 1' }, 't_Owner.credit'],
  [{ where: 'exists (select o from t_Owner o where o.credit > 1)' }, 't_Owner.credit'],
  [{ where: 'exists (select t from t_Thing t where t.price > 1)' }, 't_Thing.price'],
  [{ where: '(select max(o.credit) from t_Owner o) > 1' }, 't_Owner.credit'],
  [{ where: "{E}.name = 'a' or not ({E}.owner.credit > 1)" }, 't_Owner.credit'],
  [{ where: '{E}.name in (select u.email from sec_User u)' }, 'sec_User.email'],
  [{ where: 'exists (select r from sec_ResourceRole r)' }, 'sec_ResourceRole'],
  [{ where: 'o.credit > 1', join: 'join {E}.owner o' }, 't_Owner.credit'],
  [{ where: '1 = 1', join: 'join {E}.owner o on o.credit > 1' }, 't_Owner.credit'],
  [{ where: '{E}.name = :current_user_email' }, 'sec_User.email'],
  [{ where: 'exists (select o from t_Owner o where o.country = :current_user_email)' }, 'sec_User.email'],
  [{ where: '{E}.name = :current_user_email_id' }, 'sec_User.email_id'],
  [{ script: '{E}.owner.credit > 1' }, 't_Owner.credit'],
  [{ script: '{E}.name <> :current_user_email' }, 'sec_User.email'],
])('%j is refused to an author who may not read %s', (text, hidden) =>
  expect(() => check(text, author())).toThrow(
    expect.objectContaining({ code: 'ACCESS_READ_DENIED', details: expect.stringContaining(hidden) }),
  ),
);

test.each([
  [{ where: '{E}.name = :current_user_username and {E}.owner.country = :current_user_country' }],
  [{ where: "o.country = 'DE'", join: 'join {E}.owner o' }],
  [{ where: 'exists (select o from t_Owner o where o.country = {E}.owner.country)' }],
  [{ where: '{E}.name = :current_user_country_id or {E}.name = :current_user_id' }],
  [{ where: '{E}.name = :session_branch or {E}.name = :current_locale' }],
  [{ script: '{E}.owner.country = :current_user_country' }],
])('%j is accepted from an author who may read all of it', (text) => expect(() => check(text, author())).not.toThrow());

test('the entity of the policy itself must be readable', () =>
  expect(() => check({ where: '1 = 1' }, author({}))).toThrow(expect.objectContaining({ code: 'ACCESS_READ_DENIED' })));

// Asserts contract/row-policies.md#authors.
test('an entity of which the author sees some rows may be that of the policy, and no other', () => {
  const german = parsePolicyCondition("{E}.country = 'DE'");
  const limited = author(SHOWN, { t_Owner: german });
  for (const where of ["{E}.owner.country = 'FR'", 'exists (select o from t_Owner o)', '{E}.owner is not null'])
    expect(() => check({ where }, limited)).toThrow('A row-level policy of the t_Owner limits its author');
  expect(() => check({ where: "{E}.name = 'a'" }, limited)).not.toThrow();
  const named = author(SHOWN, { t_Thing: parsePolicyCondition("{E}.name = 'a'") });
  expect(() => check({ where: "{E}.name = 'b'" }, named)).not.toThrow();
  expect(() => check({ where: "exists (select t from t_Thing t where t.name = 'b')" }, named)).toThrow('t_Thing');
});
