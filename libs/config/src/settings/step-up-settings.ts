import { z } from 'zod';
import { settingMap } from '../declaring/setting.ts';
import { choiceListValue, choiceValue, durationMsValue, listValue } from '../declaring/values.ts';

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

/** Members of `svc.security.step-up.<name>` (contract/tokens.md#step-up). */
const stepUpSchema = z.object({
  'url-patterns': listValue().refine((items) => items.length > 0, 'expected at least one pattern'),
  methods: choiceListValue(METHODS).default([]),
  'resource-roles': listValue().default([]),
  'required-acr': choiceValue(['urn:lintel:acr:1fa', 'urn:lintel:acr:2fa']).default('urn:lintel:acr:2fa'),
  'max-age': durationMsValue().optional(),
});

export type StepUpSettings = z.infer<typeof stepUpSchema>;

const DESCRIPTIONS: Readonly<Record<keyof StepUpSettings, string>> = {
  'url-patterns': 'URL patterns (`?`, `*`, `**`) of the requests, with the base path',
  methods: 'Their methods; without a value all. GET stands for HEAD, too',
  'resource-roles': 'Only requests of users with one of these roles; without a value of all users',
  'required-acr': 'Weakest authentication that is accepted',
  'max-age': 'How old the login may be; without a value any age',
};

/** For the services that clients send requests to. */
export const stepUpSettings = settingMap(
  'svc.security.step-up',
  stepUpSchema,
  'Requests that need a stronger or newer login (RFC 9470)',
  { memberDescriptions: DESCRIPTIONS },
);
