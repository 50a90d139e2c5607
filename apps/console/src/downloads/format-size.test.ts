import { formatSize } from './format-size.ts';

test.each([
  [0, '0 bytes'],
  [1, '1 byte'],
  [999, '999 bytes'],
  [1_500, '1.5 kB'],
  [12_345_678, '12.3 MB'],
  [5e15, '5,000 TB'],
])('%i bytes are %s', (bytes, text) => expect(formatSize(bytes, 'en')).toBe(text));
