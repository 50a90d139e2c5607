import { choiceValue, durationMsValue, listValue, sizeBytesValue, textValue, urlValue } from '@lintel/config';
import { z } from 'zod';

/** Members of `svc.files.storage.<name>`. */
export const storageSchema = z.object({
  kind: choiceValue(['folder', 's3']),
  path: textValue().optional(),
  copies: listValue().default([]),
  'endpoint-url': urlValue().optional(),
  'access-key': textValue().optional(),
  'secret-key': textValue().optional(),
  bucket: textValue().optional(),
  region: textValue().default('us-east-1'),
  timeout: durationMsValue()
    .refine((ms) => ms >= 1_000 && ms <= 600_000, 'expected 1s to 10m')
    .default(30_000),
  'max-file-size': sizeBytesValue().optional(),
});

export type StorageSettings = z.infer<typeof storageSchema>;

/** Descriptions of the members, for the reference of the properties. */
export const STORAGE_MEMBERS: Readonly<Record<keyof StorageSettings, string>> = {
  kind: 'Where the storage keeps its files; without any storage they are in the folder `.lintel/files`',
  path: 'Folder of the files; required for `folder`',
  copies: '`folder`: folders with copies, which are read if `path` does not have a file',
  'endpoint-url': 'Address of the S3 server; required for `s3`',
  'access-key': 'Access key of the S3 server; required for `s3`',
  'secret-key': 'Secret key of the S3 server; required for `s3`',
  bucket: 'Bucket of the files, which is created where it does not exist; required for `s3`',
  region: '`s3`: region of the bucket',
  timeout: '`s3`: maximum silence of the server during a request',
  'max-file-size': 'Maximum size of a file in this storage',
};
