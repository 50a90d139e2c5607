import { readFileSync } from 'node:fs';
import { EVENTS } from '@lintel/contracts';
import type { AsyncDocument } from '@lintel/openapi';
import { CommandError } from '../command-error.ts';
import { messageOf } from '../message-of.ts';

/** A type of an event is a part of written source text. */
const TYPE = /^[a-z][a-z0-9._-]*\.v[0-9]+$/;

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null;

/**
 * Reads a file of `lintel asyncapi`.
 *
 * @throws CommandError for a file that is no such document
 */
export function readDocument(file: string): AsyncDocument {
  const hint = 'Name a file of "lintel asyncapi"';
  try {
    const document = JSON.parse(readFileSync(file, 'utf8')) as AsyncDocument | null;
    const { schemas, messages } = document?.components ?? {};
    if (document?.asyncapi !== undefined && [schemas, messages, document.operations].every(isObject)) return document;
  } catch (error) {
    throw new CommandError(`${file} cannot be read: ${messageOf(error)}`, hint);
  }
  throw new CommandError(`${file} is no AsyncAPI document`, hint);
}

/** Types of the events that the application publishes; events of the platform come with its packages. */
export const typesOf = ({ operations, components }: AsyncDocument): readonly string[] =>
  Object.keys(components.schemas).filter(
    (type) => TYPE.test(type) && Object.hasOwn(operations, `send.${type}`) && !Object.hasOwn(EVENTS, type),
  );
