import { z } from 'zod';
import { isVisibleName } from '../../plain-text.ts';

const noNul = (text: string): boolean => !text.includes('\0');

/** A text that the database can store. */
export const textUpTo = (max: number) => z.string().max(max).refine(noNul, 'must not have a NUL character');

/** The name that a user gives something. */
export const visibleName = (max: number) =>
  z
    .string()
    .max(max)
    .refine(isVisibleName, 'must not be blank or have invisible or direction characters')
    .meta({ minLength: 1 });
