import type { Reply } from '../client/send-request.ts';
import { type Attack, type Attacker, atOnce } from './attack.ts';
import { MEBIBYTE, PATHS } from './request-shapes.ts';

const UPLOADS = `${PATHS.files}/uploads`;
const VERSION = { 'tus-resumable': '1.0.0' };
const NAME = `filename ${btoa('hostile.bin')}`;
/** The longest header `Upload-Metadata`. */
const MAX_METADATA = 4_096;
/** `svc.rest.max-file-size` */
const MAX_FILE = 100 * MEBIBYTE;

/** Metadata of exactly that length, with as many keys as possible. */
function metadataOf(length: number): string {
  const keys = Array.from(
    { length: Math.floor((length - NAME.length) / 5) },
    (_, at) => `,${(at + 1000).toString(36)}x`,
  );
  return `${NAME}${keys.join('')}`.padEnd(length, 'x');
}

const create = ({ send }: Attacker, headers: Readonly<Record<string, string>>): Promise<Reply> =>
  send({
    method: 'POST',
    path: UPLOADS,
    headers: { ...VERSION, 'upload-length': '1', 'upload-metadata': NAME, ...headers },
  });

const pathOf = ({ headers }: Reply): string => new URL(String(headers['location'])).pathname;

const append = ({ send }: Attacker, path: string, offset: number, body: unknown): Promise<Reply> =>
  send({
    method: 'PATCH',
    path,
    headers: { ...VERSION, 'content-type': 'application/offset+octet-stream', 'upload-offset': String(offset) },
    body,
  });

let upload = '';

/** References to files that do not exist, each of a path of that length. */
const unknownFiles =
  (length: number): Attack['run'] =>
  ({ send }) =>
    atOnce(200, 20, (at) => {
      const path = `2026/11/28/${at}`.padEnd(length, 'x');
      return send({ method: 'GET', path: `${PATHS.files}?fileRef=${encodeURIComponent(`fs://${path}?name=a`)}` });
    });

/** Resumable uploads. */
export const UPLOAD_ATTACKS: readonly Attack[] = [
  {
    finding: 'F',
    title: '200 references with a path of 7,500 characters are looked for in time',
    sender: 'manager',
    run: unknownFiles(7_500),
    statuses: [404],
    maxBlockMs: 100,
  },
  {
    finding: 'F',
    title: '200 references to files that nothing refers to are looked for in time',
    sender: 'manager',
    run: unknownFiles(60),
    statuses: [404],
    maxBlockMs: 100,
  },
  {
    finding: 'U1',
    title: 'metadata of the maximum length begins an upload',
    sender: 'manager',
    run: async (attacker) => [await create(attacker, { 'upload-metadata': metadataOf(MAX_METADATA) })],
    statuses: [201],
  },
  {
    finding: 'U1',
    title: 'longer metadata is refused',
    sender: 'manager',
    run: async (attacker) => [await create(attacker, { 'upload-metadata': metadataOf(MAX_METADATA + 1) })],
    statuses: [400],
    limit: 'Upload-Metadata',
  },
  {
    finding: 'U2',
    title: 'an upload of the maximum size begins',
    sender: 'manager',
    run: async (attacker) => [await create(attacker, { 'upload-length': String(MAX_FILE) })],
    statuses: [201],
  },
  {
    finding: 'U2',
    title: 'a larger upload is refused before its first byte',
    sender: 'manager',
    run: async (attacker) => [await create(attacker, { 'upload-length': String(MAX_FILE + 1) })],
    statuses: [413],
  },
  {
    finding: 'U3',
    title: 'an upload of 200 small parts is completed in time',
    sender: 'manager',
    run: async (attacker) => {
      const path = pathOf(await create(attacker, { 'upload-length': '200' }));
      const replies: Reply[] = [];
      for (let offset = 0; offset < 200; offset += 1) replies.push(await append(attacker, path, offset, 'x'));
      return replies;
    },
    statuses: [204, 429],
    withinMs: 5_000,
  },
  {
    finding: 'U4',
    title: 'forty requests with a mebibyte for the same offset: one is stored, the others are refused',
    sender: 'manager',
    prepare: async (attacker) => {
      upload = pathOf(await create(attacker, { 'upload-length': String(2 * MEBIBYTE) }));
    },
    run: (attacker) => {
      const body = Buffer.alloc(MEBIBYTE, 'x');
      return atOnce(40, 40, () => append(attacker, upload, 0, body));
    },
    cleanUp: async ({ send }) => void (await send({ method: 'DELETE', path: upload, headers: VERSION })),
    statuses: [204, 409, 429],
    withinMs: 10_000,
  },
];
