import { createHash } from 'node:crypto';

/**
 * The packages of an image as a CycloneDX 1.6 document. The same packages give the same document.
 *
 * @param {object} contents
 * @param {string} contents.service
 * @param {readonly { folder: string, description: object, needs: readonly string[] }[]} contents.packages folders
 *   relative to the repository, `package.json` of each, and the folders of what each needs
 * @param {{ packages: Record<string, { integrity?: string }> }} contents.lock `package-lock.json`
 */
export function billOfMaterials({ service, packages, lock }) {
  const references = new Map(packages.map(({ folder, description }) => [folder, purlOf(description)]));
  const components = new Map();
  const needs = new Map();
  for (const { folder, description, needs: folders } of packages) {
    const reference = references.get(folder);
    // A package that is installed twice is one component.
    components.set(reference, componentOf(reference, description, lock.packages[folder]?.integrity));
    const known = needs.get(reference) ?? new Set();
    for (const each of folders) known.add(references.get(each));
    needs.set(reference, known);
  }
  const main = packages.find(({ description }) => description.name === `@lintel/${service}`);
  const sorted = [...components.values()].sort(byReference);
  const dependencies = [...needs].map(([ref, dependsOn]) => ({ ref, dependsOn: [...dependsOn].sort() }));
  const image = { type: 'container', 'bom-ref': 'image', name: `lintel-${service}`, version: main.description.version };
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: `urn:uuid:${uuidOf(JSON.stringify([image, sorted]))}`,
    version: 1,
    metadata: { lifecycles: [{ phase: 'build' }], component: image },
    components: sorted,
    dependencies: [
      { ref: 'image', dependsOn: [references.get(main.folder)] },
      ...dependencies.sort((left, right) => (left.ref < right.ref ? -1 : 1)),
    ],
  };
}

function componentOf(reference, { name, version, license, description }, integrity) {
  const [group, bare] = name.startsWith('@') ? name.split('/') : [undefined, name];
  return {
    type: 'library',
    'bom-ref': reference,
    ...(group !== undefined && { group }),
    name: bare,
    version,
    ...(description && { description }),
    ...(typeof license === 'string' && { licenses: [{ expression: license }] }),
    ...(integrity !== undefined && { hashes: [hashOf(integrity)] }),
    purl: reference,
  };
}

/** `sha512-<base64>` of a lock file. */
function hashOf(integrity) {
  const [algorithm, value] = integrity.split(' ')[0].split('-');
  return {
    alg: algorithm.toUpperCase().replace('SHA', 'SHA-'),
    content: Buffer.from(value, 'base64').toString('hex'),
  };
}

/** Package URL: `pkg:npm/%40scope/name@1.0.0`. */
const purlOf = ({ name, version }) => `pkg:npm/${name.replace('@', '%40')}@${version}`;

const byReference = (left, right) => (left['bom-ref'] < right['bom-ref'] ? -1 : 1);

/** A UUID of version 8 (RFC 9562), made of a text. */
function uuidOf(text) {
  const hex = createHash('sha256').update(text).digest('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    '-',
  );
}
