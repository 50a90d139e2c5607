import { createClient, describeStorages, refOf } from '../../test/files-fixture.ts';

const INVALID = (reference: string) => [
  400,
  JSON.stringify({
    error: 'Invalid file reference',
    details: `Cannot convert '${reference}' into valid file reference`,
  }),
];
const MISSING = () => [404, ''];

/** References without a file, and the response of each storage. */
const REFERENCES: readonly (readonly [reference: string, expected: (reference: string) => readonly unknown[]])[] = [
  ['fs://x.txt?name=x', INVALID],
  ['fs://2026/11/x.txt?name=x', INVALID],
  ['fs://2026/11/21/x.txt', INVALID],
  ['fs://2026/11/21/x.txt?', INVALID],
  ['fs://2026/11/21/x.txt?name', INVALID],
  ['fs://2026/11/21/x y.txt?name=x', INVALID],
  ['fs://2026/11/21/x\u0000.txt?name=x', INVALID],
  ['fs://2026/11/21/%zz.txt?name=x', INVALID],
  ['fs:2026/11/21/x.txt?name=x', INVALID],
  ['://2026/11/21/x.txt?name=x', INVALID],
  ['nonsense', INVALID],
  ['fs://2026/11/21/x.txt?name=x', MISSING],
  ['fs://2026/11/21/%00.txt?name=x', MISSING],
  ['fs://2026/11/21/?name=x', MISSING],
  ['fs:////x.txt?name=x', INVALID],
  ['fs://../../../../etc/passwd?name=x', MISSING],
  ['fs://2026/11/21/..?name=x', MISSING],
  ['fs://.incoming/11/21/x?name=x', MISSING],
  [`fs://2026/11/21/${'x'.repeat(240)}?name=x`, MISSING],
  [`fs://2026/11/21/${'x'.repeat(300)}?name=x`, MISSING],
  [`fs://2026/11/21/${'x/'.repeat(800)}x?name=x`, MISSING],
  ['fs://2026/11/21/ä.txt?name=x', MISSING],
];

describeStorages('references to files in the %s storage', (service) => {
  const { call } = createClient(() => service.server.url);

  // Asserts contract/conventions.md#endpoints, contract/decisions.md#8.
  test.each(REFERENCES)('%p is refused as in every storage', async (reference, expected) => {
    const { status, bytes } = await call(refOf(reference));
    expect([status, String(bytes)]).toEqual(expected(reference));
  });
});
