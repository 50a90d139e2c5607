import { zipSync } from 'fflate';
import { contentTypeOfPart, declareExtension, declarePart, removePart } from './content-types.ts';
import { PACKAGE_LIMITS } from './ooxml-package.ts';
import { readPackage } from './read-package.ts';
import { addRelationship, mainPartOf, readRelationships, relationshipsIn, relationshipsOf } from './relationships.ts';
import { writePackage } from './write-package.ts';
import { MAX_XML_BYTES, parseXml, writeXml } from './xml/xml.ts';
import { toXmlText } from './xml/xml-text.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const text = (part: Uint8Array | undefined): string => new TextDecoder().decode(part);
const zeros = (size: number): Uint8Array => new Uint8Array(size);

describe('readPackage', () => {
  test('gives the parts that writePackage packed, the content types first, the same bytes each time', async () => {
    const parts = new Map([
      ['word/document.xml', bytes('<a/>')],
      ['word/media/image1.png', zeros(10)],
      ['[Content_Types].xml', bytes('<Types/>')],
    ]);
    const packed = await writePackage(parts);
    const read = await readPackage(packed);
    expect([...read.keys()]).toEqual(['[Content_Types].xml', 'word/document.xml', 'word/media/image1.png']);
    expect(text(read.get('word/document.xml'))).toBe('<a/>');
    expect(await writePackage(parts)).toEqual(packed);
  });

  // Asserts contract/report-templates.md#safety.
  test.each([
    ['a part that unpacks to a thousand times its size', { 'a.xml': zeros(20_000_000) }, /unpacks to more than it may/],
    [
      'too many parts',
      Object.fromEntries(Array.from({ length: PACKAGE_LIMITS.maxEntries + 1 }, (_, index) => [`${index}`, zeros(0)])),
      /more than 4000 entries/,
    ],
    ['a name that leads out', { '../../etc/passwd': bytes('x') }, /invalid relative path/],
    ['names that differ by case only', { 'word/a.xml': bytes('1'), 'Word/A.xml': bytes('2') }, /two entries named/],
  ])('refuses %s', async (_, files, message) => {
    await expect(readPackage(zipSync(files))).rejects.toThrow(message);
  });

  // Asserts contract/report-templates.md#safety.
  test('refuses an archive that is larger than its directory says', async () => {
    const archive = Buffer.from(zipSync({ 'a.xml': zeros(500_000) }));
    for (let at = 0; at < archive.length - 4; at++)
      if (archive.readUInt32LE(at) === 500_000) archive.writeUInt32LE(4_000, at);
    await expect(readPackage(archive)).rejects.toThrow(/no zip archive that can be read: too many bytes/);
  });

  test('skips what Finder adds', async () => {
    const archive = zipSync({ 'a.xml': bytes('<a/>'), '__MACOSX/._a.xml': new Uint8Array([0xff]) });
    expect([...(await readPackage(archive)).keys()]).toEqual(['a.xml']);
  });

  test('refuses parts that are too large together', async () => {
    const archive = zipSync({ 'a.xml': zeros(600), 'b.xml': zeros(600) });
    await expect(readPackage(archive, { ...PACKAGE_LIMITS, maxUnpackedBytes: 1_000 })).rejects.toThrow(
      'unpacks to more than it may: b.xml',
    );
  });

  test('refuses files that are too large, and files that are no archive', async () => {
    await expect(readPackage(zeros(11), { ...PACKAGE_LIMITS, maxBytes: 10 })).rejects.toThrow(/more than 10 bytes/);
    await expect(readPackage(bytes('hello'))).rejects.toThrow(/no zip archive/);
    await expect(readPackage(new Uint8Array([0xd0, 0xcf, 0x11, 0xe0]))).rejects.toThrow(/encrypted by a password/);
  });
});

describe('parseXml', () => {
  // Asserts contract/report-templates.md#safety.
  test.each([
    '<!DOCTYPE a [<!ENTITY x "boom">]><a>&x;</a>',
    '<!DOCTYPE a SYSTEM "file:///etc/passwd"><a/>',
    '<?xml version="1.0"?><!doctype a><a/>',
  ])('refuses the document type declaration of %s', (xml) => {
    expect(() => parseXml(bytes(xml), 'p.xml')).toThrow('p.xml has a document type declaration');
    const utf16 = new Uint8Array([0xff, 0xfe, ...Buffer.from(xml, 'utf16le')]);
    expect(() => parseXml(utf16, 'p.xml')).toThrow('a document type declaration');
  });

  test.each(['<a><b></a>', '<a>&unknown;</a>', '', '<a/><b/>'])('refuses %j, naming the part', (xml) => {
    expect(() => parseXml(bytes(xml), 'p.xml')).toThrow(/^p\.xml is not well-formed/);
  });

  test('keeps order, namespaces and white space', () => {
    const xml = '<w:a xmlns:w="urn:w"><w:t xml:space="preserve"> x </w:t><w:b w:c="1"/>é</w:a>';
    const written = text(writeXml(parseXml(bytes(xml), 'p.xml')));
    expect(written).toBe(`<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n${xml}`);
  });
});

describe('relationships and content types', () => {
  test('targets are part names, relative to the part or from the package on', () => {
    const parts = new Map([
      [
        'word/_rels/document.xml.rels',
        bytes(
          '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">' +
            '<Relationship Id="a" Type="t/header" Target="header1.xml"/>' +
            '<Relationship Id="b" Type="t/image" Target="../media/x.png"/>' +
            '<Relationship Id="c" Type="t/image" Target="/word/media/y.png"/>' +
            '<Relationship Id="d" Type="t/hyperlink" Target="http://a/b?c" TargetMode="External"/></Relationships>',
        ),
      ],
    ]);
    const targets = [...relationshipsOf(parts, 'word/document.xml').values()].map(({ target }) => target);
    expect(targets).toEqual(['word/header1.xml', 'media/x.png', 'word/media/y.png', 'http://a/b?c']);
    expect(() => mainPartOf(parts)).toThrow('no document of Office Open XML');
  });

  test('a relationship gets an id that is free', () => {
    const document = relationshipsIn(new Map(), 'x');
    const image = { type: 't/image', target: 'word/media/a.png', isExternal: false };
    expect([addRelationship(document, image), addRelationship(document, image)]).toEqual(['rId1', 'rId2']);
    expect(readRelationships(document, 'word/document.xml').get('rId2')?.target).toBe('word/media/a.png');
  });

  test('content types are found by part, then by extension', () => {
    const types = parseXml(
      bytes('<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>'),
      '[Content_Types].xml',
    );
    declareExtension(types, 'xml', 'application/xml');
    declareExtension(types, 'xml', 'other');
    declarePart(types, 'word/document.xml', 'main');
    expect([contentTypeOfPart(types, 'word/document.xml'), contentTypeOfPart(types, 'word/x.xml')]).toEqual([
      'main',
      'application/xml',
    ]);
    removePart(types, 'word/document.xml');
    expect(contentTypeOfPart(types, 'word/document.xml')).toBe('application/xml');
  });
});

test('texts lose what XML cannot hold', () => {
  expect(toXmlText('a\u0000b\u001fc\td\ne\ufffff\ud800g😀')).toBe('abc\td\nef\ufffdg😀');
});

describe('parts that are too large to be read at once', () => {
  const partOfElements = (count: number) => new TextEncoder().encode(`<a>${'<b/>'.repeat(count - 1)}</a>`);

  test('a small part of more than twenty thousand elements is refused before it is parsed', () => {
    expect(() => parseXml(partOfElements(20_001), 'word/document.xml')).toThrow(
      'word/document.xml has more than 20000 elements',
    );
    expect(parseXml(partOfElements(1_000), 'word/document.xml').documentElement?.childNodes.length).toBe(999);
  });

  test('so is a part of more than 16 MiB, however few elements it has', () => {
    const bytes = new Uint8Array(MAX_XML_BYTES + 1).fill(32);
    expect(() => parseXml(bytes, 'word/document.xml')).toThrow('word/document.xml has more than 16777216 bytes');
  });
});
