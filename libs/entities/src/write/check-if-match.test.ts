import { entityTag } from '@lintel/reading';
import { checkIfMatch } from './check-if-match.ts';

const local = { json: '{"a":1}', version: undefined };
const check = (header: string | undefined, version: string | undefined) =>
  checkIfMatch(
    header,
    () => version,
    () => Promise.resolve(local),
  );

test.each([undefined, '*', '"3.x"', 'W/"3.x"', '"2.x", "3.y"'])('version 3 matches %s', async (header) => {
  await expect(check(header, '3')).resolves.toBeUndefined();
});

test.each(['"2.x"', '"-.x"', '3', '', '"3"'])('version 3 does not match %j: 412', async (header) => {
  await expect(check(header, '3')).rejects.toMatchObject({ code: 'REQ_PRECONDITION_FAILED' });
});

test('without a version the hash of the local representation decides', async () => {
  await expect(check(entityTag(local), undefined)).resolves.toBeUndefined();
  await expect(check('"-.other"', undefined)).rejects.toMatchObject({ status: 412 });
});
