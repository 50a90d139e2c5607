import { cases, fc } from '@lintel/testkit/properties';
import { TransportPadding } from './transport-padding.ts';

const part = fc.constantFrom(
  '\r\n--b',
  '--b',
  '\r\n',
  '\r',
  ' ',
  '\t',
  '\r\n--b \r\n',
  '--',
  '\r\n--b--',
  'x',
  '\r\n--bx \r\n',
);

test('blanks after a boundary are removed, however the body arrives, and nothing else is', () => {
  fc.assert(
    fc.property(fc.array(part), fc.array(fc.nat(4)), (parts, lengths) => {
      const body = Buffer.from(parts.join(''));
      const padding = new TransportPadding('b');
      const pieces: Buffer[] = [];
      let from = 0;
      for (const length of lengths) {
        pieces.push(padding.push(body.subarray(from, from + length)));
        from += length;
      }
      pieces.push(padding.push(body.subarray(from)), padding.end());
      const expected = `\r\n${body}`.replaceAll(/(\r\n--b)[ \t]+(?=\r)/g, '$1').slice(2);
      expect(Buffer.concat(pieces).toString()).toBe(expected);
    }),
    cases(500),
  );
});
