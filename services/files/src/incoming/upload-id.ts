import { hash } from 'node:crypto';

/** What the id of a resumable upload says. */
export interface UploadId {
  /** Name of the storage that has its parts. */
  readonly storage: string;
  /** The id within the storage. It begins with the time of expiry, which the sweeper reads without opening the upload. */
  readonly key: string;
}

const KEY = /^([0-9a-z]{1,9})-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const UNFINISHED = /^u[0-9a-f]{32}-/;

/** @param uuid cannot be guessed */
export const uploadKeyOf = (expiresAt: number, uuid: string): string =>
  `${Math.ceil(expiresAt / 1000).toString(36)}-${uuid}`;

/**
 * The key of the record that counts an upload among the unfinished ones of its user. It is found by its begin, and expires
 * together with the upload.
 */
export const unfinishedKeyOf = (caller: string, uploadKey: string): string => unfinishedPrefixOf(caller) + uploadKey;

/** The begin of the keys of `unfinishedKeyOf` for a caller. */
export const unfinishedPrefixOf = (caller: string): string => `u${hash('sha256', caller, 'hex').slice(0, 32)}-`;

/** The time of expiry of an upload in milliseconds; undefined if the key is none of these functions. */
export function expiryOf(key: string): number | undefined {
  const seconds = KEY.exec(key.replace(UNFINISHED, ''))?.[1];
  return seconds === undefined ? undefined : Number.parseInt(seconds, 36) * 1000;
}

/** Neither names of storages nor keys contain the separator. */
export const formatUploadId = ({ storage, key }: UploadId): string => `${storage}~${key}`;

/** Undefined if the text is no id. */
export function parseUploadId(text: string): UploadId | undefined {
  const [storage = '', key = '', ...more] = text.split('~');
  return more.length > 0 || storage === '' || !KEY.test(key) ? undefined : { storage, key };
}
