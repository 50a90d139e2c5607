import {
  buildModel,
  compositionOfMany,
  elements,
  embeddable,
  embedded,
  enumeration,
  enumOf,
  standardEntity,
  string,
  toOne,
} from '@lintel/metadata';
import { serverParameterProblem, serverParameters } from './server-parameters.ts';

const rank = enumeration('t_Rank', { HIGH: 'H', LOW: 'L' });
const model = buildModel({
  entities: [
    embeddable('t_Address', { attributes: { city: string(10) } }),
    standardEntity('t_Phone', { attributes: { user: toOne('sec_User') } }),
    standardEntity('sec_User', {
      attributes: {
        username: string(20),
        password: string(20).secret(),
        age: string(5).transient(),
        rank: enumOf(rank),
        manager: toOne('sec_User'),
        address: embedded('t_Address'),
        labels: elements(),
        phones: compositionOfMany('t_Phone', 'user'),
      },
    }),
  ],
  enums: [rank],
  sessionAttributes: ['branch'],
});

const FIXED = ['current_locale', 'session$userId', 'session$userLogin', 'session$username'];

// Asserts contract/row-policies.md#policies.
test('parameters are the stored attributes of users that are single values and no secret, and session attributes', () => {
  const ofUsers = serverParameters(model).filter(
    (name) => !FIXED.includes(name) && !/_(created|lastModified|version)/.test(name),
  );
  expect(serverParameters(model)).toEqual(expect.arrayContaining(FIXED));
  expect(ofUsers.toSorted()).toEqual([
    'current_user_id',
    'current_user_manager',
    'current_user_manager_id',
    'current_user_rank',
    'current_user_username',
    'session_branch',
  ]);
});

test('a model without users and session attributes has the fixed parameters', () => {
  expect(serverParameters(buildModel({ entities: [] }))).toEqual(FIXED);
});

test.each([
  [['current_user_username', 'session_branch', 'current_locale'], undefined],
  [[], undefined],
  [['current_locale', 'current_user_password'], 'there is no parameter :current_user_password'],
  [['current_user_usernmae'], 'there is no parameter :current_user_usernmae; did you mean :current_user_username?'],
  [['x'], expect.stringMatching(/^there is no parameter :x: expected :current_locale, .*, :session_branch$/)],
])('the parameters %j: %s', (names, problem) => {
  const found = serverParameterProblem(model, names);
  if (typeof problem === 'string') expect(found).toContain(problem);
  else expect(found).toEqual(problem);
});

test('a model without users refuses unknown parameters of other kinds', () => {
  const without = buildModel({ entities: [] });
  expect(serverParameterProblem(without, ['current_user_any'])).toBeUndefined();
  expect(serverParameterProblem(without, ['current_user_any', 'session_any'])).toContain(':session_any');
});
