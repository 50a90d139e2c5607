import { readFile } from 'node:fs/promises';
import { suggestion } from '@lintel/errors';
import { parseMail } from '@lintel/mail';
import { formatMessage } from '@lintel/metadata';
import { openApplication } from '../application-context.ts';
import { CommandError } from '../command-error.ts';
import { messageOf } from '../message-of.ts';
import type { ExitCode } from '../run-program.ts';
import type { Terminal } from '../terminal.ts';
import type { PreviewMailOptions } from './mail.command.ts';

/** Prints a mail of the application. */
export async function previewMail(
  name: string,
  { application: specifier, locale, data: file, html: isPage, json }: PreviewMailOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const { application } = await openApplication({ ...(specifier !== undefined && { application: specifier }) });
  const { mails = [], messages } = application;
  const found = mails.find((mail) => mail.name === name);
  if (found === undefined) {
    const names = mails.map((mail) => mail.name);
    throw new CommandError(
      `There is no mail ${name}${suggestion(name, names)}`,
      names.length === 0 ? 'The application declares none' : `Mails of the application: ${names.join(', ')}`,
    );
  }
  const values = file === undefined ? (found.options.example ?? {}) : await readValues(file);
  const texts = await parseMail(found.options)
    .then((parsed) =>
      parsed.render({
        data: values,
        locale: locale ?? null,
        message: (key, parameters, of) => formatMessage(messages.find(key, of) ?? key, parameters, of),
      }),
    )
    .catch((error: unknown) => {
      throw new CommandError(`Mail ${name}: ${messageOf(error)}`, 'Correct the template, or its values with --data');
    });
  if (isPage === true && texts.html === undefined)
    throw new CommandError(`Mail ${name} has no page in this locale`, 'Leave --html out');
  if (json === true) terminal.print(JSON.stringify(texts));
  else if (isPage === true) terminal.print(texts.html ?? '');
  else terminal.print([`Subject: ${texts.subject}`, '', texts.text.trimEnd()].join('\n'));
  return 0;
}

async function readValues(file: string): Promise<Readonly<Record<string, unknown>>> {
  try {
    return JSON.parse(await readFile(file, 'utf8'));
  } catch (error) {
    throw new CommandError(`${file} cannot be read (${messageOf(error)})`, 'Give a file with a JSON object');
  }
}
