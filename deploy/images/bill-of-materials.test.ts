import { readFileSync } from 'node:fs';
import { billOfMaterials } from './bill-of-materials.mjs';

const PACKAGES = [
  { folder: 'services/data', description: { name: '@lintel/data', version: '0.1.0' }, needs: ['node_modules/a'] },
  {
    folder: 'node_modules/a',
    description: { name: 'a', version: '1.2.3', license: 'MIT', description: 'First' },
    needs: ['node_modules/@scope/b'],
  },
  {
    folder: 'node_modules/@scope/b',
    description: { name: '@scope/b', version: '2.0.0', license: '(MIT OR Apache-2.0)' },
    needs: [],
  },
  {
    folder: 'node_modules/a/node_modules/@scope/b',
    description: { name: '@scope/b', version: '2.0.0', license: '(MIT OR Apache-2.0)' },
    needs: [],
  },
];
const LOCK = { packages: { 'node_modules/a': { integrity: 'sha512-AQID' } } };
const bill = () => billOfMaterials({ service: 'data', packages: PACKAGES, lock: LOCK });

test('every package is a component, with version, licence, hash and package URL, once', () => {
  expect(bill().components).toEqual([
    {
      type: 'library',
      'bom-ref': 'pkg:npm/%40lintel/data@0.1.0',
      group: '@lintel',
      name: 'data',
      version: '0.1.0',
      purl: 'pkg:npm/%40lintel/data@0.1.0',
    },
    {
      type: 'library',
      'bom-ref': 'pkg:npm/%40scope/b@2.0.0',
      group: '@scope',
      name: 'b',
      version: '2.0.0',
      licenses: [{ expression: '(MIT OR Apache-2.0)' }],
      purl: 'pkg:npm/%40scope/b@2.0.0',
    },
    {
      type: 'library',
      'bom-ref': 'pkg:npm/a@1.2.3',
      name: 'a',
      version: '1.2.3',
      description: 'First',
      licenses: [{ expression: 'MIT' }],
      hashes: [{ alg: 'SHA-512', content: '010203' }],
      purl: 'pkg:npm/a@1.2.3',
    },
  ]);
});

test('what needs what is there, from the image on', () => {
  expect(bill().dependencies).toEqual([
    { ref: 'image', dependsOn: ['pkg:npm/%40lintel/data@0.1.0'] },
    { ref: 'pkg:npm/%40lintel/data@0.1.0', dependsOn: ['pkg:npm/a@1.2.3'] },
    { ref: 'pkg:npm/%40scope/b@2.0.0', dependsOn: [] },
    { ref: 'pkg:npm/a@1.2.3', dependsOn: ['pkg:npm/%40scope/b@2.0.0'] },
  ]);
});

test('the same packages give the same document', () => {
  expect(bill()).toEqual(bill());
  expect(bill().serialNumber).toMatch(/^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(billOfMaterials({ service: 'data', packages: PACKAGES.slice(0, 2), lock: LOCK }).serialNumber).not.toBe(
    bill().serialNumber,
  );
});

test('the images name the path of the document in a label', () => {
  const dockerfile = readFileSync(new URL('./Dockerfile', import.meta.url), 'utf8');
  expect(dockerfile).toContain('io.lintel.image.sbom="/app/sbom.cdx.json"');
  expect(dockerfile).toContain('WORKDIR /app\nCOPY --from=collect /out .');
  expect(readFileSync(new URL('./make-runtime.mjs', import.meta.url), 'utf8')).toContain("'sbom.cdx.json'");
});
