/**
 * A files service as a process of its own, with the fake callers of the fixture: for tests that kill it or run
 * several. The first argument is its storage (`ReplicaStorage` as JSON); it prints its address when it listens.
 */
import { flushCompileCache } from 'node:module';
import { createFolderBlobStore } from '../src/storage/folder/folder-blob-store.ts';
import { createS3BlobStore, type S3Options } from '../src/storage/s3/s3-blob-store.ts';
import { startService } from './files-fixture.ts';

export type ReplicaStorage =
  | { readonly kind: 'folder'; readonly root: string }
  | { readonly kind: 's3'; readonly options: S3Options };

export const openReplicaStore = async (storage: ReplicaStorage) =>
  storage.kind === 'folder' ? createFolderBlobStore(storage.root) : createS3BlobStore(storage.options);

if (import.meta.main) {
  const store = await openReplicaStore(JSON.parse(process.argv[2] ?? '') as ReplicaStorage);
  // Tests upload many files concurrently as one caller.
  const server = await startService(store, store, { 'svc.files.max-uploads-per-user': '1000' });
  process.stdout.write(`${server.url}\n`);
  // Before a test kills it: what is compiled serves the next replica.
  flushCompileCache();
}
