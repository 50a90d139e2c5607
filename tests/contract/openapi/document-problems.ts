import { createConfig, lintFromString } from '@redocly/openapi-core';
import { Validator } from '@seriousme/openapi-schema-validator';
import spectralCore, { type RulesetDefinition } from '@stoplight/spectral-core';
import rulesets from '@stoplight/spectral-rulesets';
import type { OpenApi } from './read-document.ts';

const { Spectral } = spectralCore;
const copyOf = (document: OpenApi): Record<string, unknown> =>
  structuredClone(document) as unknown as Record<string, unknown>;

/** Violations of the official schema of the document's version of OpenAPI. */
export async function officialProblems(document: OpenApi): Promise<unknown> {
  const { valid, errors } = await new Validator().validate(copyOf(document));
  return valid ? [] : errors;
}

const redocly = createConfig({
  extends: ['recommended-strict'],
  rules: {
    // `/oauth2/authorize` only redirects a browser.
    'operation-2xx-response': 'off',
  },
});

/** Violations of the rules that Redocly recommends, its warnings included; it validates examples, too. */
export async function redoclyProblems(document: OpenApi): Promise<readonly unknown[]> {
  const source = JSON.stringify(document);
  const problems = await lintFromString({ source, absoluteRef: 'openapi.json', config: await redocly });
  return problems.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer]);
}

/** Violations of all rules of Spectral for OpenAPI, its warnings included. */
export async function spectralProblems(document: OpenApi): Promise<readonly unknown[]> {
  const spectral = new Spectral();
  spectral.setRuleset({
    extends: [[rulesets.oas as unknown as RulesetDefinition, 'all']],
    rules: {
      // An application names nobody as its contact.
      'info-contact': 'off',
      // The licence has an SPDX identifier, which excludes a URL (OpenAPI 3.1, License Object).
      'license-url': 'off',
      // Tags are in the order of the parts of the API, then of the application.
      'openapi-tags-alphabetical': 'off',
    },
  });
  const problems = await spectral.run(copyOf(document));
  return problems.map(({ code, message, path }) => [code, message, path.join('/')]);
}
