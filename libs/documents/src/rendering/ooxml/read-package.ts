import { type Entry, fromBufferPromise, type ZipFile } from 'yauzl';
import { OoxmlError, type OoxmlPackage, PACKAGE_LIMITS, type PackageLimits } from './ooxml-package.ts';

/**
 * Unpacks a docx or xlsx file. Sizes are checked by the directory of the archive before anything is unpacked, and the
 * number of unpacked bytes must be the one of the directory.
 *
 * @throws OoxmlError for anything but a plain zip archive within the limits
 */
export async function readPackage(bytes: Uint8Array, limits: PackageLimits = PACKAGE_LIMITS): Promise<OoxmlPackage> {
  return withEntries(bytes, limits, async (archive, entries) => {
    const parts = new Map<string, Uint8Array>();
    for (const entry of entries) parts.set(entry.fileName, await unpack(archive, entry));
    return parts;
  });
}

/**
 * Returns the sum over the parts that `readPackage` would unpack; nothing is unpacked for it.
 *
 * @param sizeOf the size of a part with that name and number of bytes; by default the number of bytes
 * @throws OoxmlError as `readPackage`
 */
export const unpackedSizeOf = (
  file: Uint8Array,
  sizeOf: (name: string, bytes: number) => number = (_name, bytes) => bytes,
): Promise<number> =>
  withEntries(file, PACKAGE_LIMITS, async (_archive, entries) =>
    entries.reduce((sum, { fileName, uncompressedSize }) => sum + sizeOf(fileName, uncompressedSize), 0),
  );

/** The files of an archive that have not been unpacked yet. */
export interface PackageEntries {
  readonly archive: ZipFile;
  /** By name. */
  readonly entries: ReadonlyMap<string, Entry>;
}

/** Finds the files for reading them piece by piece, with the checks of `readPackage`. */
export const entriesOf = (bytes: Uint8Array, limits: PackageLimits): Promise<PackageEntries> =>
  withEntries(bytes, limits, async (archive, entries) => ({
    archive,
    entries: new Map(entries.map((entry) => [entry.fileName, entry])),
  }));

async function withEntries<R>(
  bytes: Uint8Array,
  limits: PackageLimits,
  read: (archive: ZipFile, entries: readonly Entry[]) => Promise<R>,
): Promise<R> {
  if (bytes[0] === 0xd0 && bytes[1] === 0xcf)
    throw new OoxmlError(
      'the file is encrypted by a password, or has the format of Office before 2007: save it as an ordinary .docx or .xlsx',
    );
  if (bytes.byteLength > limits.maxBytes) throw new OoxmlError(`the file has more than ${limits.maxBytes} bytes`);
  try {
    const archive = await fromBufferPromise(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), {
      lazyEntries: true,
    });
    return await read(archive, await acceptableEntries(archive, limits));
  } catch (cause) {
    if (cause instanceof OoxmlError) throw cause;
    throw new OoxmlError(`the file is no zip archive that can be read: ${(cause as Error).message}`, { cause });
  }
}

/** Unpacks into the memory that the part has afterwards: collected pieces would take four times that of a large part. */
async function unpack(archive: ZipFile, entry: Entry): Promise<Uint8Array> {
  const part = new Uint8Array(entry.uncompressedSize);
  let length = 0;
  for await (const piece of await archive.openReadStreamPromise(entry)) {
    part.set(piece as Uint8Array, length);
    length += (piece as Uint8Array).byteLength;
  }
  return part;
}

/** Returns the files of the archive, without folders. The reader refuses names that lead out of the archive. */
async function acceptableEntries(archive: ZipFile, limits: PackageLimits): Promise<readonly Entry[]> {
  if (archive.entryCount > limits.maxEntries)
    throw new OoxmlError(`the archive has more than ${limits.maxEntries} entries`);
  const entries: Entry[] = [];
  const names = new Set<string>();
  let total = 0;
  for await (const entry of archive.eachEntry()) {
    const { fileName, uncompressedSize, compressedSize } = entry;
    // Finder adds files about the parts.
    if (fileName.endsWith('/') || fileName.startsWith('__MACOSX/')) continue;
    // Part names are case-insensitive (ECMA-376-2, 6.2.2): two readers must not find two different files.
    if (names.has(fileName.toLowerCase())) throw new OoxmlError(`the archive has two entries named ${fileName}`);
    names.add(fileName.toLowerCase());
    if (entry.isEncrypted()) throw new OoxmlError('the file is encrypted');
    total += uncompressedSize;
    const isBomb = uncompressedSize > limits.ratioExemptBytes && uncompressedSize > compressedSize * limits.maxRatio;
    if (isBomb || total > limits.maxUnpackedBytes)
      throw new OoxmlError(`the file unpacks to more than it may: ${fileName} has ${uncompressedSize} bytes`);
    entries.push(entry);
  }
  return entries;
}
