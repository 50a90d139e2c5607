/** What the id of a resumable upload says. */
export interface UploadId {
  /** Name of the storage that has its parts. */
  readonly storage: string;
  /** The id within the storage. It begins with the time of expiry, which the sweeper reads without opening the upload. */
  readonly key: string;
}

const KEY = /^([0-9a-z]{1,9})-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** @param uuid cannot be guessed */
export const uploadKeyOf = (expiresAt: number, uuid: string): string =>
  `${Math.ceil(expiresAt / 1000).toString(36)}-${uuid}`;

/** The time of expiry of an upload in milliseconds; undefined if the key is none of `uploadKeyOf`. */
export function expiryOf(key: string): number | undefined {
  const seconds = KEY.exec(key)?.[1];
  return seconds === undefined ? undefined : Number.parseInt(seconds, 36) * 1000;
}

/** Neither names of storages nor keys contain the separator. */
export const formatUploadId = ({ storage, key }: UploadId): string => `${storage}~${key}`;

/** Undefined if the text is no id. */
export function parseUploadId(text: string): UploadId | undefined {
  const [storage = '', key = '', ...more] = text.split('~');
  return more.length > 0 || storage === '' || expiryOf(key) === undefined ? undefined : { storage, key };
}
