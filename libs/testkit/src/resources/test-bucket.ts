import { Client } from 'minio';
import { testEnvironment } from './test-environment.ts';
import { uniqueName } from './unique-name.ts';

/** A bucket of its own for one suite, with what a client needs to reach it. */
export interface TestBucket {
  readonly bucket: string;
  readonly url: string;
  readonly accessKey: string;
  readonly secretKey: string;
  /** What is in it; an upload that is not finished has no size. */
  contents(): Promise<readonly StoredObject[]>;
  /** Removes the bucket with everything in it, unfinished uploads included. */
  drop(): Promise<void>;
}

export interface StoredObject {
  readonly key: string;
  readonly size: number | undefined;
}

/** Makes an empty bucket on the S3 server of the test run. */
export async function createTestBucket(prefix = 'test'): Promise<TestBucket> {
  const url = testEnvironment('LINTEL_TEST_S3_URL');
  const accessKey = testEnvironment('LINTEL_TEST_S3_ACCESS_KEY');
  const secretKey = testEnvironment('LINTEL_TEST_S3_SECRET_KEY');
  const { hostname, port, protocol } = new URL(url);
  const useSSL = protocol === 'https:';
  const client = new Client({
    endPoint: hostname,
    port: port === '' ? (useSSL ? 443 : 80) : Number(port),
    useSSL,
    accessKey,
    secretKey,
    region: 'us-east-1',
  });
  const bucket = uniqueName(prefix, '-');
  await client.makeBucket(bucket);
  return {
    bucket,
    url,
    accessKey,
    secretKey,
    contents: () => contentsOf(client, bucket),
    drop: () => removeBucket(client, bucket),
  };
}

async function contentsOf(client: Client, bucket: string): Promise<readonly StoredObject[]> {
  const found: StoredObject[] = [];
  for await (const { name, size } of client.listObjectsV2(bucket, '', true)) found.push({ key: name, size });
  for await (const { key } of client.listIncompleteUploads(bucket, '', true)) found.push({ key, size: undefined });
  return found;
}

async function removeBucket(client: Client, bucket: string): Promise<void> {
  for await (const upload of client.listIncompleteUploads(bucket, '', true)) {
    await client.removeIncompleteUpload(bucket, upload.key);
  }
  const names: string[] = [];
  for await (const object of client.listObjectsV2(bucket, '', true)) names.push(object.name);
  if (names.length > 0) await client.removeObjects(bucket, names);
  await client.removeBucket(bucket);
}
