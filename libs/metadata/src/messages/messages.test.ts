import { captionsIn } from './captions.ts';
import { createMessages } from './messages.ts';

const PLATFORM = [
  { locale: '', texts: { 'sys/StandardEntity.id': 'ID', save: 'Save', quit: 'Quit' } },
  { locale: 'de', texts: { 'sys/StandardEntity.id': 'Kennung', save: 'Sichern', quit: 'Beenden' } },
];
const APPLICATION = [
  {
    locale: '',
    texts: {
      'shop/Order': 'Order',
      'shop/Order.number': 'Number',
      'shop/Colour.RED': 'Red',
      'shop.paint/Colour.RED': 'Crimson',
      save: 'Keep',
      Plain: 'Plain one',
    },
  },
  { locale: 'zh', texts: { 'shop/Order': '订单', 'shop/Order.number': '号码' } },
  { locale: 'zh_CN', texts: { 'shop/Order.number': '编号' } },
];
const messages = createMessages(PLATFORM, APPLICATION);

// Asserts contract/messages.md#bundles, contract/messages.md#messages.
test.each([
  ['shop/Order.number', 'zh_CN', '编号'],
  ['shop/Order', 'zh_CN', '订单'],
  ['shop/Colour.RED', 'zh_CN', 'Red'],
  ['shop/Order', 'zh', '订单'],
  ['shop/Order', 'en', 'Order'],
  ['shop/Order', 'ZH-cn', '订单'],
  ['quit', 'de_AT', 'Beenden'],
  ['quit', 'fr', 'Quit'],
])('the text of %s in %s is %s', (key, locale, text) => {
  expect(messages.find(key, locale)).toBe(text);
});

// Asserts contract/messages.md#bundles.
test("an application's text wins over the platform's in every locale", () => {
  expect(['en', 'de', 'zh_CN'].map((locale) => messages.find('save', locale))).toEqual(['Keep', 'Keep', 'Keep']);
});

test('a key without a text has none', () => {
  expect(messages.find('shop/Nothing', 'de')).toBeUndefined();
  expect(messages.find('toString', 'de')).toBeUndefined();
  expect(messages.find('__proto__', 'de')).toBeUndefined();
});

test('the version changes with every text', () => {
  const other = createMessages(PLATFORM, [...APPLICATION, { locale: 'de', texts: { save: 'Aufheben' } }]);
  expect(createMessages(PLATFORM, APPLICATION).version).toBe(messages.version);
  expect(other.version).not.toBe(messages.version);
  expect(other.find('save', 'de')).toBe('Aufheben');
});

describe('captions', () => {
  const captions = captionsIn(messages, 'zh_CN');

  // Asserts contract/messages.md#messages.
  test('of entities, attributes, enums and constants are asked for by package and class', () => {
    expect(captions.entity('shop_Order')).toBe('订单');
    expect(captions.attribute({ name: 'number', declaredBy: 'shop_Order' })).toBe('编号');
    expect(captions.constant('shop.Colour', 'RED')).toBe('Red');
    expect(captions.constant('shop.paint.Colour', 'RED')).toBe('Crimson');
    expect(captions.entity('Plain')).toBe('Plain one');
  });

  // Asserts contract/messages.md#messages.
  test('an inherited attribute has the caption of the entity that declares it', () => {
    expect(captions.attribute({ name: 'number', declaredBy: 'shop_Order' })).toBe('编号');
    expect(captions.attribute({ name: 'number', declaredBy: 'shop_Invoice' })).toBe('Number');
  });

  // Asserts contract/messages.md#messages.
  test('what has no translation is the words of its name', () => {
    expect(captions.entity('shop_Invoice')).toBe('Invoice');
    expect(captions.enumeration('shop.paint.Colour')).toBe('Colour');
    expect(captions.constant('shop.Colour', 'BLUE')).toBe('Blue');
    expect(captions.entity('Bare')).toBe('Bare');
    const words = ['creditLimit', 'VATNumber', 'customerID', 'ON_HOLD', 'line2Text', 'straßeNr', '_', 'a__b'];
    expect(words.map((name) => captions.attribute({ name, declaredBy: 'shop_Invoice' }))).toEqual([
      ...['Credit limit', 'VAT number', 'Customer ID', 'On hold', 'Line2 text', 'Straße nr', '_', 'A b'],
    ]);
    expect(captions.entity('shop_OrderLine')).toBe('Order line');
  });

  test("a standard attribute has the platform's caption unless the application has one", () => {
    const german = captionsIn(messages, 'de');
    expect(german.attribute({ name: 'id', declaredBy: 'shop_Order' })).toBe('Kennung');
    const own = createMessages(PLATFORM, [{ locale: '', texts: { 'shop/Order.id': 'Key' } }]);
    expect(captionsIn(own, 'de').attribute({ name: 'id', declaredBy: 'shop_Order' })).toBe('Key');
  });
});
