import { type Caption, shownCaptions } from './caption.ts';

const ORDER: Caption = {
  target: 'sales_Order',
  key: 'sales/Order',
  text: 'Auftrag',
  source: 'application',
  shown: 'Auftrag',
};
const NOTE: Caption = { target: 'sales_Order.note', key: 'sales/Order.note', text: null, source: null, shown: 'Note' };

test.each([
  ['everything', '', false, [ORDER, NOTE]],
  ['words of target and text', 'sales AUFTRAG', false, [ORDER]],
  ['missing texts', '', true, [NOTE]],
  ['a word that none has', 'customer', false, []],
])('a search for %s', (_title, words, isMissingOnly, expected) =>
  expect(shownCaptions([ORDER, NOTE], words, isMissingOnly)).toEqual(expected),
);
