import { PassThrough } from 'node:stream';
import { ignoreClosedPipes } from './ignore-closed-pipes.ts';

test('a pipe that its reader has closed ends nothing', () => {
  const output = new PassThrough();
  ignoreClosedPipes(output);
  expect(() => output.emit('error', Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }))).not.toThrow();
});

test('other errors of a stream are thrown', () => {
  const output = new PassThrough();
  ignoreClosedPipes(output);
  expect(() => output.emit('error', Object.assign(new Error('no space'), { code: 'ENOSPC' }))).toThrow('no space');
});
