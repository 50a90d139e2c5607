import { StartError } from '@lintel/errors';
import type { Model } from '@lintel/metadata';
import { parseXml, type XmlElement } from '../fetch-plans/xml-elements.ts';
import type { JsonTransformer, Transformation, TransformationSteps } from './transformation.ts';

/** A resource file with transformations. */
export interface TransformationSource {
  /** Resource name, for error texts. */
  readonly name: string;
  /** The content of the file: XML. */
  readonly text: string;
}

/** A file of `svc.rest.json-transformation-config` that contradicts the application; names file and line. */
export class TransformationConfigError extends StartError {
  constructor(source: string, line: number | undefined, problem: string) {
    super(`${source}${line === undefined ? '' : `, line ${line}`}: ${problem}`);
    this.name = 'TransformationConfigError';
  }
}

interface Context {
  readonly source: string;
  readonly model: Model;
  readonly transformers: Readonly<Record<string, JsonTransformer>>;
}

/**
 * Reads transformations between versions of the model (contract/model-versions.md#model-versions).
 *
 * @param transformers functions that `transformerBeanRef` names
 * @throws TransformationConfigError for malformed XML, unknown elements, entities, attributes and transformers,
 *   and two transformations of one entity in one version
 */
export function parseTransformations(
  sources: readonly TransformationSource[],
  model: Model,
  transformers: Readonly<Record<string, JsonTransformer>> = {},
): readonly Transformation[] {
  const all: Transformation[] = [];
  const known = new Set<string>();
  for (const { name: source, text } of sources) {
    for (const element of rootOf(source, text).children) {
      const transformation = readTransformation({ source, model, transformers }, element);
      const { modelVersion, currentName, oldName } = transformation;
      for (const key of new Set([`${modelVersion} to ${currentName}`, `${modelVersion} from ${oldName}`])) {
        if (known.has(key))
          throw new TransformationConfigError(source, element.line, `version ${key} is there already`);
        known.add(key);
      }
      all.push(transformation);
    }
  }
  return all;
}

function rootOf(source: string, text: string): XmlElement {
  let root: XmlElement;
  try {
    root = parseXml(text);
  } catch (error) {
    throw new TransformationConfigError(source, undefined, error instanceof Error ? error.message : String(error));
  }
  if (root.name !== 'transformations')
    throw new TransformationConfigError(source, root.line, `the root element is <${root.name}>, not <transformations>`);
  return root;
}

type Fail = (problem: string) => never;

const failAt =
  ({ source }: Context, { line }: XmlElement): Fail =>
  (problem) => {
    throw new TransformationConfigError(source, line, problem);
  };

function required(element: XmlElement, name: string, fail: Fail): string {
  const value = element.attributes[name]?.trim() ?? '';
  return value === '' ? fail(`<${element.name}> needs the attribute "${name}"`) : value;
}

function readTransformation(context: Context, element: XmlElement): Transformation {
  const fail = failAt(context, element);
  if (element.name !== 'transformation') return fail(`<${element.name}> is not known here; <transformation> is`);
  const currentName = required(element, 'currentEntityName', fail);
  if (!context.model.entities.has(currentName)) fail(`there is no entity ${currentName}`);
  const renames = readRenames(context, element, currentName);
  const custom = element.children.filter(({ name }) => name === 'custom');
  for (const child of element.children) {
    if (!['renameAttribute', 'fromVersion', 'toVersion', 'custom'].includes(child.name))
      failAt(context, child)(`<${child.name}> is not known here`);
  }
  const stepsOf = (
    direction: 'fromVersion' | 'toVersion',
    renamed: ReadonlyMap<string, string>,
  ): TransformationSteps => ({
    renamed,
    removed: removedBy(context, element, direction),
    custom: customOf(context, custom, direction),
  });
  return Object.freeze({
    modelVersion: required(element, 'modelVersion', fail),
    currentName,
    oldName: element.attributes['oldEntityName']?.trim() || currentName,
    fromVersion: stepsOf('fromVersion', new Map(renames)),
    toVersion: stepsOf('toVersion', new Map(renames.map(([oldName, current]) => [current, oldName]))),
  });
}

function readRenames(
  context: Context,
  element: XmlElement,
  entityName: string,
): readonly (readonly [string, string])[] {
  const attributes = context.model.entities.get(entityName)?.attributes;
  return element.children
    .filter(({ name }) => name === 'renameAttribute')
    .map((rename) => {
      const fail = failAt(context, rename);
      const current = required(rename, 'currentName', fail);
      // Dynamic attributes may be added and removed while the service runs.
      if (!current.startsWith('+') && attributes?.has(current) !== true)
        fail(`${entityName} has no attribute ${current}`);
      return [required(rename, 'oldName', fail), current] as const;
    });
}

const removedBy = (context: Context, element: XmlElement, direction: string): ReadonlySet<string> =>
  new Set(
    element.children
      .filter(({ name }) => name === direction)
      .flatMap(({ children }) =>
        children.map((child) => {
          const fail = failAt(context, child);
          if (child.name !== 'removeAttribute') fail(`<${child.name}> is not known here; <removeAttribute> is`);
          return required(child, 'name', fail);
        }),
      ),
  );

function customOf(
  context: Context,
  custom: readonly XmlElement[],
  direction: 'fromVersion' | 'toVersion',
): JsonTransformer | undefined {
  const [element] = custom.flatMap(({ children }) => children).filter(({ name }) => name === direction);
  if (element === undefined) return undefined;
  const fail = failAt(context, element);
  const name = required(element, 'transformerBeanRef', fail);
  const transformer = Object.hasOwn(context.transformers, name) ? context.transformers[name] : undefined;
  return transformer ?? fail(`the application has no JSON transformer ${name}`);
}
