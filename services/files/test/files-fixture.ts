import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadSettings } from '@lintel/config';
import { type AccessClaims, AUDIENCE_FILE, AUDIENCE_INTERNAL, AUDIENCE_REST, type Session } from '@lintel/contracts';
import { PlatformError } from '@lintel/errors';
import { FORWARDING_PROOF_HEADER, forwardingProofOf, listen, type RunningServer } from '@lintel/http';
import { BUILT_IN_ROLES, type RoleRegistry, resourceRole, specificPolicy } from '@lintel/security';
import { createLogger } from '@lintel/telemetry';
import { createTestBucket } from '@lintel/testkit';
import { createFilesService, type FilesPorts } from '../src/app.ts';
import { settings } from '../src/config.ts';
import type { BlobStore } from '../src/storage/blob-store.ts';
import { createFolderBlobStore } from '../src/storage/folder/folder-blob-store.ts';
import { createS3BlobStore } from '../src/storage/s3/s3-blob-store.ts';
import { createFileStorages } from '../src/storage/settings/file-storages.ts';

/** The time at which the service runs. */
export const SERVICE_TIME = new Date(2026, 10, 21, 12).getTime();
export const MAX_BYTES = 12 * 1024 * 1024;
const ROLES: RoleRegistry['resourceRoles'] = new Map(
  [
    ...BUILT_IN_ROLES,
    resourceRole('both', {
      name: 'Both',
      policies: [specificPolicy('rest.fileUpload.enabled'), specificPolicy('rest.fileDownload.enabled')],
    }),
  ].map((role) => [role.code, role]),
);
const ROLE_BOOK: RoleRegistry = { version: '', resourceRoles: ROLES, rowRoles: new Map() };
/** Token → resource roles of the fake caller. */
const CALLERS: Readonly<Record<string, readonly string[]>> = {
  user: ['rest-minimal', 'both'],
  minimal: ['rest-minimal'],
  nobody: ['both'],
  another: ['rest-minimal', 'both'],
};

const sessionOf = (username: string): Session => ({
  id: username,
  username,
  userId: null,
  clientId: 'client',
  kind: 'user',
  resourceRoles: [...(CALLERS[username] ?? [])],
  rowLevelRoles: [],
  locale: null,
  attributes: {},
  createdAt: '2026-11-21T00:00:00Z',
});

/** A storage under test. */
export interface Subject {
  readonly store: BlobStore;
  /** Number of stored files, after all writes have ended. */
  everything(): Promise<number>;
  drop(): Promise<void>;
  /** Folder of a folder storage. */
  readonly folder?: string;
}

/** Records the written keys, so that tests can count what remains of them. */
function recorded(store: BlobStore, drop: () => Promise<void>): Subject {
  const keys: string[] = [];
  const writes: Promise<unknown>[] = [];
  const recording: BlobStore = {
    incoming: store.incoming,
    write(key, content, description) {
      keys.push(key);
      const written = store.write(key, content, description);
      writes.push(written);
      return written;
    },
    find: (key) => store.find(key),
    read: (key, range) => store.read(key, range),
    list: (after, limit) => store.list(after, limit),
    remove: (key) => store.remove(key),
    removeAbandoned: (before) => store.removeAbandoned(before),
    assertReady: () => store.assertReady(),
    close: () => store.close(),
  };
  return {
    store: recording,
    async everything() {
      await Promise.allSettled(writes);
      return (await Promise.all(keys.map((key) => store.find(key)))).filter(Boolean).length;
    },
    async drop() {
      await Promise.allSettled(writes);
      await drop();
    },
  };
}

export async function folderSubject(): Promise<Subject> {
  const root = await mkdtemp(join(tmpdir(), 'files-'));
  const subject = recorded(await createFolderBlobStore(root), () => rm(root, { recursive: true, force: true }));
  return { ...subject, folder: root };
}

export async function s3Subject(): Promise<Subject> {
  const { url, bucket, accessKey, secretKey, drop } = await createTestBucket('files');
  const options = { endpointUrl: url, bucket, accessKey, secretKey, region: 'us-east-1' };
  return recorded(
    createS3BlobStore({ ...options, partSizeBytes: 5 * 1024 * 1024, partsInMemory: 2, timeoutMs: 20_000 }),
    drop,
  );
}

/** The token of a ticket with which application code grants a file, `<storage>://<path>`, to a caller. */
export const tokenOfGrant = (caller: string, key: string): string =>
  `${caller}.${Buffer.from(key).toString('base64url')}`;

export const INTERNAL_SECRET = 'internal secret of the test';

export interface RunningFiles extends RunningServer {
  readonly internalUrl: string;
}

/**
 * The service with fake callers. It stores files in `store`, and files up to ten bytes in `second`. The internal
 * listener knows the services `reports` and `data` by service tokens of these names. `tokenOfGrant` makes
 * the tokens of tickets for one file.
 */
export async function startService(
  store: BlobStore,
  second: BlobStore,
  properties: Readonly<Record<string, string>> = {},
  onLogLine: (line: string) => void = () => {},
  fileAccess: FilesPorts['fileAccess'] = { mayRead: async () => true },
): Promise<RunningFiles> {
  const config = loadSettings(settings, {
    sources: [
      {
        label: 'test',
        kind: 'application',
        values: {
          'svc.files.port': '0',
          'svc.files.internal-port': '0',
          'svc.rest.max-file-size': String(MAX_BYTES),
          'svc.internal.secret': INTERNAL_SECRET,
          'svc.datasource.url': 'postgres://unused',
          'svc.rest.anonymous-url-patterns': '/rest/public/**',
          ...properties,
        },
      },
    ],
    readSecretFile: () => '',
  });
  const service = createFilesService(
    {
      currentRoles: () => ROLE_BOOK,
      storages: createFileStorages(
        [
          { name: 'fs', store, maxFileSizeBytes: Number.POSITIVE_INFINITY },
          { name: 'small', store: second, maxFileSizeBytes: 10 },
        ],
        'fs',
      ),
      fileAccess,
      verifier: {
        async verify(token, ...audiences) {
          const [caller = '', grant] = token.split('.');
          const file = grant === undefined ? undefined : Buffer.from(grant, 'base64url').toString();
          if (audiences.includes(AUDIENCE_INTERNAL) && ['reports', 'data'].includes(token))
            return { sub: 'user', sid: 'user', act: { sub: token } } as AccessClaims;
          if (audiences.includes(file === undefined ? AUDIENCE_REST : AUDIENCE_FILE) && CALLERS[caller] !== undefined)
            return { sub: caller, sid: caller, scope: 'rest-api', file } as AccessClaims;
          throw new PlatformError('AUTH_INVALID_TOKEN', 'Invalid access token');
        },
      },
      loadSession: async (id) => sessionOf(id),
      logger: createLogger({ service: 'files', destination: { write: onLogLine } }),
      clock: { now: () => SERVICE_TIME },
      newId: randomUUID,
      // Defined with `--expose-gc`, as in production.
      runMinorGc: () => globalThis.gc?.({ type: 'minor' }),
    },
    config,
  );
  await service.start();
  const server = await listen(service.app, { host: '127.0.0.1', port: config.port });
  const internal = await listen(service.internalApp, { host: '127.0.0.1', port: config.internalPort });
  return {
    ...server,
    internalUrl: internal.url,
    close: async () => {
      await Promise.all([server.close(), internal.close()]);
      await service.close();
    },
  };
}

/** A service with files in one storage, and small ones in another. */
export interface ServiceOfStorage {
  readonly subject: Subject;
  readonly other: Subject;
  readonly server: RunningFiles;
}

/**
 * Runs tests of the service with each storage, whose name replaces `%s` in the title. The service runs during tests.
 */
export function describeStorages(
  title: string,
  tests: (service: ServiceOfStorage, storage: 'folder' | 'S3') => void,
): void {
  describe.each([
    ['folder', folderSubject],
    ['S3', s3Subject],
  ] as const)(title, (storage, create) => {
    const service = {} as { subject: Subject; other: Subject; server: RunningFiles };
    beforeAll(async () => {
      service.subject = await create();
      service.other = await folderSubject();
      service.server = await startService(service.subject.store, service.other.store);
    });
    afterAll(async () => {
      await service.server?.close();
      await service.subject?.store.close();
      await service.subject?.drop();
      await service.other?.drop();
    });
    tests(service, storage);
  });
}

export interface TestResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Buffer;
  readonly json: () => { fileRef: string; name: string; size: number; error: string; details: string };
}

/** Sends requests as one of the fake callers. */
export interface Client {
  call(path: string, init?: RequestInit, token?: string): Promise<TestResponse>;
  /** Raw upload. */
  upload(
    name: string,
    body: string | Uint8Array,
    headers?: Record<string, string>,
    query?: string,
  ): Promise<TestResponse>;
}

export function createClient(urlOf: () => string): Client {
  const call = async (path: string, init: RequestInit = {}, token = 'user'): Promise<TestResponse> => {
    const headers = {
      Authorization: `Bearer ${token}`,
      [FORWARDING_PROOF_HEADER]: forwardingProofOf(INTERNAL_SECRET),
      ...(init.headers as Record<string, string>),
    };
    const response = await fetch(`${urlOf()}${path}`, { ...init, headers });
    const bytes = Buffer.from(await response.arrayBuffer());
    return { status: response.status, headers: response.headers, bytes, json: () => JSON.parse(String(bytes)) };
  };
  return {
    call,
    upload: (name, body, headers = {}, query = '') =>
      call(`/rest/files?name=${encodeURIComponent(name)}${query}`, {
        method: 'POST',
        body: body as NonNullable<RequestInit['body']>,
        headers,
      }),
  };
}

/** Path of a download. */
export const refOf = (fileRef: string): string => `/rest/files?fileRef=${encodeURIComponent(fileRef)}`;
