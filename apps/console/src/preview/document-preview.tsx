import { Anchor, Button, Code, Group, Stack, Text, Title } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { type SyntheticEvent, useEffect, useMemo } from 'react';
import { useText } from '../context.ts';
import { parseCsv } from '../downloads/parse-csv.ts';
import { ErrorAlert } from '../errors/pending.tsx';
import { DataTable } from '../table/data-table.tsx';
import classes from './preview.module.css';
import type { ReadDocument } from './read-document.ts';

const MAX_ROWS = 200;
const MAX_CHARACTERS = 100_000;

interface DocumentPreviewProps {
  readonly document: ReadDocument;
  /** Makes the document as PDF, to show what the browser cannot show. */
  readonly loadPdf?: (() => Promise<ReadDocument>) | undefined;
}

/** A document with its download, and its content where the browser can show it. */
export function DocumentPreview({ document, loadPdf }: DocumentPreviewProps) {
  const text = useText();
  const url = useMemo(() => URL.createObjectURL(document.blob), [document.blob]);
  useEffect(() => () => URL.revokeObjectURL(url), [url]);
  return (
    <Stack gap="xs" component="section" aria-label={text('preview.title')}>
      <Group justify="space-between">
        <Title order={2}>{document.name}</Title>
        <Anchor href={url} download={document.name}>
          <Group gap={4} component="span">
            <IconDownload size={16} aria-hidden />
            {text('preview.download')}
          </Group>
        </Anchor>
      </Group>
      <Content document={document} url={url} loadPdf={loadPdf} />
    </Stack>
  );
}

function Content({ document, url, loadPdf }: DocumentPreviewProps & { readonly url: string }) {
  const translate = useText();
  const { kind, name, text = '' } = document;
  switch (kind) {
    case 'pdf':
      return <iframe src={url} title={name} className={classes['frame']} />;
    case 'html':
      return <HtmlFrame html={text} title={name} />;
    case 'table':
      return <CsvTable csv={text} name={name} />;
    case 'image':
      return <img src={url} alt={name} style={{ maxWidth: '100%' }} />;
    case 'text':
      return (
        <Code block className={classes['text']} tabIndex={0}>
          {text.slice(0, MAX_CHARACTERS)}
        </Code>
      );
    case 'office':
      return loadPdf === undefined ? (
        <Text>{translate('preview.none')}</Text>
      ) : (
        <OfficePreview key={url} loadPdf={loadPdf} />
      );
    default:
      return <Text>{translate('preview.none')}</Text>;
  }
}

/** A document of Word or Excel as PDF, which the server makes for the preview alone. */
function OfficePreview({ loadPdf }: { readonly loadPdf: () => Promise<ReadDocument> }) {
  const text = useText();
  const { mutate, data, error, isPending } = useMutation({ mutationFn: loadPdf });
  if (data !== undefined) return <PdfFrame document={data} />;
  return (
    <Stack gap="xs" align="flex-start">
      <Text size="sm">{text('preview.office')}</Text>
      {error !== null && <ErrorAlert error={error} />}
      <Button loading={isPending} onClick={() => mutate()}>
        {text('preview.asPdf')}
      </Button>
    </Stack>
  );
}

function PdfFrame({ document: { blob, name } }: { readonly document: ReadDocument }) {
  const url = useMemo(() => URL.createObjectURL(blob), [blob]);
  useEffect(() => () => URL.revokeObjectURL(url), [url]);
  return <iframe src={url} title={name} className={classes['frame']} />;
}

function CsvTable({ csv, name }: { readonly csv: string; readonly name: string }) {
  const text = useText();
  const [header = [], ...rows] = useMemo(() => parseCsv(csv, MAX_ROWS + 1), [csv]);
  return (
    <>
      <DataTable
        label={name}
        rows={rows}
        columns={header.map((caption, at) => ({ caption, cell: (row: readonly string[]) => row[at] }))}
      />
      {rows.length === MAX_ROWS && <Text size="sm">{text('preview.firstRows', { count: MAX_ROWS })}</Text>}
    </>
  );
}

interface HtmlFrameProps {
  readonly html: string;
  readonly title: string;
}

/**
 * An HTML document in a frame without scripts, forms and links. The policy of the page, which holds in the frame too,
 * permits no styles in the document: they are set by the object model, which it permits.
 */
const HtmlFrame = ({ html, title }: HtmlFrameProps) => (
  <iframe srcDoc={html} sandbox="allow-same-origin" title={title} className={classes['frame']} onLoad={applyStyles} />
);

function applyStyles({ currentTarget }: SyntheticEvent<HTMLIFrameElement>): void {
  const { contentDocument: page, contentWindow: frame } = currentTarget;
  if (page === null || frame === null) return;
  const { CSSStyleSheet: Sheet } = frame as Window & { readonly CSSStyleSheet: typeof CSSStyleSheet };
  page.adoptedStyleSheets = [...page.querySelectorAll('style')].map(({ textContent }) => {
    const sheet = new Sheet();
    sheet.replaceSync(textContent ?? '');
    return sheet;
  });
  for (const element of page.querySelectorAll<HTMLElement>('[style]'))
    element.style.cssText = element.getAttribute('style') ?? '';
}
