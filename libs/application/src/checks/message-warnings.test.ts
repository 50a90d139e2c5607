import { createMessages, standardEntity, string } from '@lintel/metadata';
import { defineApplication } from '../define-application.ts';
import { restMethod, service } from '../services/service.ts';
import { t } from '../services/value-type.ts';
import { messageWarnings } from './message-warnings.ts';

const application = defineApplication({
  id: 'shop',
  name: 'Shop',
  entities: [
    standardEntity('shop_Order', {
      attributes: { number: string(9).size(2, 9, '{msg://few}'), note: string(9).size(0, 9, 'Too long') },
      rules: [{ message: '{msg:///late}', dependsOn: [], test: () => true }],
    }),
  ],
  services: [
    service('shop_Prices', { of: restMethod({ params: { code: t.string.size(1, 2, '{msg://code}') } }, () => 1) }),
  ],
});

test('a rule whose text is missing is named with the locales and the key', () => {
  const messages = createMessages([{ locale: 'de', texts: { 'shop/few': 'Wenig', late: 'Spät' } }]);
  expect(messageWarnings(application, messages, ['en', 'de'])).toEqual([
    'The text {msg:///late} of a rule of shop_Order refers to a message that does not exist in en: users get the default text of the rule; add late to the messages files',
    'The text {msg://few} of a rule of shop_Order.number refers to a message that does not exist in en: users get the default text of the rule; add shop/few to the messages files',
    'The text {msg://code} of a rule of shop_Prices.of refers to a message that does not exist in en, de: users get the default text of the rule; add shop/code to the messages files',
  ]);
});

test('a key that resembles another one is named with it', () => {
  const messages = createMessages([{ locale: '', texts: { 'shop/few': 'Few', late: 'Late', 'shop/cod': 'Code' } }]);
  expect(messageWarnings(application, messages, ['en'])[0]).toMatch(
    /add shop\/code to the messages files; did you mean shop\/cod\?$/,
  );
});

test('texts that exist are no warnings', () => {
  const texts = { 'shop/few': 'Few', late: 'Late', code: 'Code' };
  expect(messageWarnings(application, createMessages([{ locale: '', texts }]), ['en', 'de'])).toEqual([]);
});
