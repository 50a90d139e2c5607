import { createMessages } from '@lintel/metadata';
import { INVALID, ownText, plainText, sizeText } from '../values/messages.ts';
import { createLocalize } from './localize.ts';

const messages = createMessages([
  { locale: '', texts: { 'jakarta.validation.constraints.Size.message': 'from {min} to {max}', 'shop/few': 'Few' } },
  { locale: '', texts: { 'lintel.validation.InvalidValue.message': 'Not valid' } },
]);
const localize = createLocalize({ currentMessages: () => messages }, { username: 'ada', locale: 'en' });

test.each([
  ['the own text of a rule', ownText('{msg://few}', sizeText(1, 2)), 'Few'],
  ['the default text for an own text that is missing', ownText('{msg://fwe}', sizeText(1, 2)), 'from 1 to 2'],
  ['the default text for a part that is missing', ownText('No: {msg:///fwe}', sizeText(1, 2)), 'from 1 to 2'],
  ['a general text for a rule in code', ownText('{msg://shop/fwe}', INVALID), 'Not valid'],
  ['texts of application code as they are', plainText('{msg://fwe}'), '{msg://fwe}'],
])('%s', (_, text, expected) => {
  expect(localize(text, 'shop_Order')).toBe(expected);
});
