import { Badge, Button, Group, Select, Stack, Table, Text, Title } from '@mantine/core';
import { useDeferredValue, useState } from 'react';
import { useText } from '../../context.ts';
import { SwitchField, TextField } from '../../controls/forms.tsx';
import { Pending } from '../../errors/pending.tsx';
import { shownCaptions } from './caption.ts';
import { CaptionRow } from './caption-row.tsx';
import { DEFAULT_LOCALE, type TextKind, useCaptions, useCaptionsOfLocales } from './use-captions.ts';

const PAGE_SIZE = 50;
/** Fields share a row where they fit, and have one each on a phone. */
const GROWING = { flex: '1 1 200px' };
const KINDS = ['captions', 'others'] as const satisfies readonly TextKind[];

/** The captions or the other texts of one locale: search, missing ones, and editing in the list. */
export function CaptionsPage() {
  const text = useText();
  const [locale, setLocale] = useState(DEFAULT_LOCALE);
  const [kind, setKind] = useState<TextKind>('captions');
  const [words, setWords] = useState('');
  const [isMissingOnly, setMissingOnly] = useState(false);
  const [count, setCount] = useState(PAGE_SIZE);
  const searched = useDeferredValue(words);
  const { data, error, refetch } = useCaptions(locale, kind);
  if (error !== null || data === undefined) return <Pending error={error} onRetry={refetch} />;
  const found = shownCaptions(data.captions, searched, isMissingOnly);
  const missing = data.captions.filter((caption) => caption.text === null).length;
  return (
    <Stack>
      <Title order={1}>{text('texts.title')}</Title>
      <MissingPerLocale
        locales={data.locales}
        kind={kind}
        onChoose={(chosen, count) => {
          setLocale(chosen);
          setMissingOnly(count > 0);
        }}
      />
      <Group align="flex-end">
        <Select
          style={{ flex: '2 1 280px' }}
          label={text('texts.kind')}
          data={KINDS.map((value) => ({ value, label: text(`texts.kind.${value}`) }))}
          value={kind}
          onChange={(value) => setKind(KINDS.find((each) => each === value) ?? 'captions')}
        />
        <Select
          style={GROWING}
          label={text('texts.locale')}
          data={[
            { value: DEFAULT_LOCALE, label: text('texts.default') },
            ...data.locales.map((value) => ({ value, label: value })),
          ]}
          value={locale}
          onChange={(value) => setLocale(value ?? DEFAULT_LOCALE)}
        />
        <TextField style={GROWING} label={text('texts.find')} value={words} onChange={setWords} />
      </Group>
      <SwitchField
        label={text('texts.missingOnly', { count: missing })}
        checked={isMissingOnly}
        onChange={setMissingOnly}
      />
      {found.length === 0 && <Text>{text(isMissingOnly && words === '' ? 'texts.noneMissing' : 'texts.none')}</Text>}
      {found.length > 0 && (
        <Table.ScrollContainer minWidth={720} type="native" tabIndex={0}>
          <Table aria-label={text('texts.title')} verticalSpacing={4}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th miw={230}>{text('texts.target')}</Table.Th>
                <Table.Th>{text('texts.shown')}</Table.Th>
                <Table.Th>{text('texts.source')}</Table.Th>
                <Table.Th>{text('texts.actions')}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {found.slice(0, count).map((caption) => (
                <CaptionRow key={`${data.locale} ${caption.key}`} caption={caption} locale={data.locale} />
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
      {found.length > count && (
        <Button onClick={() => setCount(count + PAGE_SIZE)}>
          {text('texts.more', { count: found.length - count })}
        </Button>
      )}
    </Stack>
  );
}

interface MissingPerLocaleProps {
  readonly locales: readonly string[];
  readonly kind: TextKind;
  readonly onChoose: (locale: string, missing: number) => void;
}

/** How many captions each locale lacks; a locale that is chosen shows them, or all if it lacks none. */
function MissingPerLocale({ locales, kind, onChoose }: MissingPerLocaleProps) {
  const text = useText();
  const all = [DEFAULT_LOCALE, ...locales];
  const found = useCaptionsOfLocales(all, kind);
  return (
    <Group gap="xs" component="section" aria-label={text('texts.missingPerLocale')}>
      {all.map((locale, at) => {
        const captions = found[at]?.data?.captions;
        if (captions === undefined) return null;
        const count = captions.filter((caption) => caption.text === null).length;
        const name = locale === DEFAULT_LOCALE ? text('texts.default') : locale;
        return (
          <Button
            key={locale}
            size="compact-sm"
            onClick={() => onChoose(locale, count)}
            rightSection={
              <Badge variant="default" size="sm">
                {text('texts.missingCount', { count })}
              </Badge>
            }
          >
            {name}
          </Button>
        );
      })}
    </Group>
  );
}
