import { createMessages } from '@lintel/metadata';

/** Captions of the enums of the test model. */
export const messages = createMessages([
  { locale: '', texts: { 't/Color.RED': 'Red', 't/Color.GREEN': "Gre'en", 't/Level.HIGH': 'High' } },
  { locale: 'de', texts: { 't/Color.RED': 'Rot', 't/Color.GREEN': 'Grün', 't/Level.HIGH': 'Hoch' } },
]);
