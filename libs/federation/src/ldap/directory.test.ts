import { BerWriter } from 'ldapts';
import { subjectFilter } from './directory.ts';

function bytesOf(subject: string, attribute: string): Buffer {
  const writer = new BerWriter();
  subjectFilter(subject, attribute, '(sAMAccountName={0})').write(writer);
  return writer.buffer;
}

test('the bytes of a binary id are those of the directory', () => {
  const id = '00807fff28292a5cc3a9fe0102030405';
  expect(bytesOf(id, 'objectGUID').toString('hex')).toContain(`0410${id}`);
});

test('a text that looks like a filter is a value', () => {
  expect(bytesOf('a)(uid=*\\2a', 'entryUUID').toString('latin1')).toContain('a)(uid=*\\2a');
});
