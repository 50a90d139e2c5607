import { findAliases, type TextPieces } from '../rendering/aliases.ts';
import type { OoxmlPackage } from '../rendering/ooxml/ooxml-package.ts';
import { relationshipsOf } from '../rendering/ooxml/relationships.ts';
import { BLANK_ADDRESS } from '../rendering/ooxml/strip-external-content.ts';
import { Pauses } from '../rendering/ooxml/xml/pauses.ts';
import type { TemplateFindings } from './report-problem.ts';

/** The parts that a run fills. */
export interface FilledParts {
  readonly names: readonly string[];
  /** Matches the elements that are filled. */
  readonly elements: RegExp;
  readonly hasFilledAddresses: boolean;
  /** Location of an alias by what is before it: the XML of these parts, the text of others. */
  readonly locationOf: (part: string, before: string) => string;
}

/** Texts of other parts, and the ends of their paragraphs. */
const TEXTS = /<(?:\w+:)?(?:t|text)(?: [^>]*)?>([^<]*)(?=<)|<\/(?:\w+:)?(?:p|comment)>/g;
/** `${first name}`, `$ {name}`, and the aliases `{{name}}` of other programs. */
const RESEMBLING = /[$#] ?\{[^{}]{0,60}\}?|\{\{[^{}]{1,60}\}\}/g;

/** Finds texts that resemble aliases and stay as they are written. */
export function checkResembling(pieces: TextPieces, location: string, findings: TemplateFindings): void {
  for (const piece of pieces)
    for (const found of typeof piece === 'string' ? (piece.match(RESEMBLING) ?? []) : [])
      findings.warn(`${found} stays as it is written: an alias is \${name}, of letters, digits, _ and dots`, location);
}

/**
 * Finds aliases that stay as they are written because a run does not fill them: in charts, text boxes, comments,
 * codes of fields, messages of rules, and addresses, of the filled parts and of all parts to which they refer.
 */
export async function checkUnfilled(
  parts: OoxmlPackage,
  { names, elements, hasFilledAddresses, locationOf }: FilledParts,
  findings: TemplateFindings,
): Promise<void> {
  const pauses = new Pauses();
  const report = (text: string, part: string): Promise<void> =>
    reportAliases(text, (start) => locationOf(part, text.slice(0, start)), findings);
  const seen = new Set(names);
  for (const part of seen) {
    if (pauses.isDue()) await pauses.take();
    const isFilled = names.includes(part);
    const xml = new TextDecoder().decode(parts.get(part));
    if (isFilled) await report(xml.replaceAll(elements, ''), part);
    // Programs split texts at any position.
    else await report([...xml.matchAll(TEXTS)].map(([, text = '\n']) => text).join(''), part);
    for (const { target, isExternal } of relationshipsOf(parts, part).values())
      if (!isExternal && parts.has(target)) seen.add(target);
      else if (isExternal && !(isFilled && hasFilledAddresses))
        await report(target.replaceAll(/%[2-7][0-9a-f]/gi, decodeURIComponent), part);
  }
}

async function reportAliases(text: string, locationAt: (start: number) => string, findings: TemplateFindings) {
  const pauses = new Pauses();
  for (const { name, start } of findAliases(text)) {
    if (pauses.isDue()) await pauses.take();
    findings.warn(`\${${name}} stays as it is written: it is outside of what a run fills`, locationAt(start));
  }
}

/** Content that a document shows, which the template that it is based on is not. */
const SHOWN = /\/(image|oleObject|externalLinkPath|subDocument|frame)$/;

/** Finds aliases in properties, and links to pictures, objects and other documents, which results do not have. */
export async function checkPackage(parts: OoxmlPackage, findings: TemplateFindings): Promise<void> {
  const pauses = new Pauses();
  for (const name of parts.keys()) {
    if (pauses.isDue()) await pauses.take();
    if (name.startsWith('docProps/'))
      await reportAliases(new TextDecoder().decode(parts.get(name)), () => name, findings);
    const [, folder = '', part] = /^(.*)_rels\/([^/]*)\.rels$/.exec(name) ?? [];
    for (const { type, target } of part === undefined ? [] : relationshipsOf(parts, folder + part).values())
      if (target === BLANK_ADDRESS && SHOWN.test(type))
        findings.warn(
          `a link to other content (${SHOWN.exec(type)?.[1]}) is cut: embed what the document should show`,
          part ?? '',
        );
  }
}
