import { decimal, standardEntity, string, toMany, toOne } from '@lintel/metadata';
import { defineApplication } from '../define-application.ts';
import type { SessionAttributes } from './session-attributes.ts';

const Branch = standardEntity('t_Branch', { attributes: { name: string(20) } });
const define = (userAttributes: Parameters<typeof defineApplication>[0]['userAttributes']) => () =>
  defineApplication({ id: 't', name: 'T', entities: [Branch], userAttributes: userAttributes ?? {} });

test('the attributes of the application are attributes of sec_User, after those of the platform', () => {
  const { model } = define({ region: string(10), branch: toOne('t_Branch') })();
  expect([...(model.entities.get('sec_User')?.attributes.keys() ?? [])].slice(-2)).toEqual(['region', 'branch']);
});

test.each([
  [{ country: string(2) }, 'sec_User already has the attribute country: choose another name'],
  [{ version: string(2) }, 'sec_User already has the attribute version: choose another name'],
  [{ pin: string(4).secret() }, 'pin is secret, but the values are part of sessions: remove secret()'],
  [{ pin: string(4).mandatory() }, 'pin is mandatory, but users that exist have no value: remove mandatory()'],
  [{ pin: string(4).transient() }, 'pin is not stored: remove transient() or computed()'],
  [{ limit: decimal(9, 2) }, 'limit has the datatype decimal: expected string, char'],
  [{ branches: toMany('t_Branch', 'owner') }, 'branches'],
])('%j is refused with the reason', (attributes, reason) => {
  expect(define(attributes)).toThrow(reason);
});

test('a hook of the login needs session attributes', () => {
  const create = () => defineApplication({ id: 't', name: 'T', entities: [], onLogin: () => ({}) });
  expect(create).toThrow('onLogin: there are no sessionAttributes that it could set');
});

test('session attributes have a known datatype and a name of letters', () => {
  const attributes = { 'ware-house': 'uuid', depot: 'guid' } as unknown as SessionAttributes;
  const create = () => defineApplication({ id: 't', name: 'T', entities: [], sessionAttributes: attributes });
  expect(create).toThrow("sessionAttributes: 'ware-house' is no name");
  expect(create).toThrow('sessionAttributes: depot has the unknown datatype guid: expected string, boolean, int');
});
