import { fc } from '@lintel/testkit/properties';
import { maskPasswords, maskSecret } from './mask.ts';

/** No shorter than anything else in the text, so that finding it means that it was shown. */
const password = fc.string({ minLength: 12, unit: 'grapheme-ascii' }).filter((text) => text.trim() === text);

test('no URL that is a secret shows its password, with any characters', () => {
  fc.assert(
    fc.property(password, (secret) => {
      expect(maskSecret(`postgres://lintel:${secret}@db.example:5432/lintel`)).not.toContain(secret);
      expect(maskSecret(`amqp://one:5672,amqp://lintel:${secret}@two`)).not.toContain(secret);
    }),
  );
});

test('no password that could stand in a URL is shown in a text with it', () => {
  fc.assert(
    fc.property(password.map(encodeURIComponent), (secret) => {
      expect(maskPasswords(`expected a URL, got "http://me:${secret}@host/path"`)).not.toContain(secret);
    }),
  );
});
