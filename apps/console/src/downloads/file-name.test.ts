import { fileNameOf } from './file-name.ts';

test('a file has its name', () => {
  expect(fileNameOf('fs://2026/11/26/a?name=report%20one.pdf')).toBe('report one.pdf');
  expect(fileNameOf('fs://2026/11/26/a.pdf')).toBe('a.pdf');
});
