import { useLanguage, useModel } from '../context.ts';
import '@mantine/core/styles/Overlay.css';
import '@mantine/core/styles/ModalBase.css';
import '@mantine/core/styles/Modal.css';
import { useDebouncedValue } from '@mantine/hooks';
import { Spotlight, spotlight } from '@mantine/spotlight';
import '@mantine/spotlight/styles.css';
import { IconSearch } from '@tabler/icons-react';
import { useQueries, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type KeyboardEvent, useEffect, useState } from 'react';
import { createText } from '../language/create-text.ts';
import type { Area, Command } from './area.ts';
import { areaTexts } from './area-texts.ts';

interface CommandPaletteProps {
  readonly areas: readonly Area[];
  /** How often it was opened; it opens whenever this changes. */
  readonly opened: number;
}

const MAX_SHOWN = 12;
/** Pauses of typing. */
const DELAY_MS = 200;
/** Texts that the server searches. */
const SEARCHED = /^(?=.*[\p{L}\p{N}]).{2,200}$/u;

/** Enter opens the first hit where none is selected: the server found it after the last letter was typed. */
function openFirst({ key, nativeEvent }: KeyboardEvent<HTMLInputElement>): void {
  const [first] = document.querySelectorAll<HTMLElement>('[role="dialog"] [data-action]');
  const isChosen = key === 'Enter' && !nativeEvent.isComposing;
  if (isChosen && document.querySelector('[data-action][data-selected]') === null) first?.click();
}

/** Finds and opens any page of the console by its name, those of an extension included. */
export function CommandPalette({ areas, opened }: CommandPaletteProps) {
  const { text, locale } = useLanguage();
  const model = useModel();
  const navigate = useNavigate();
  // biome-ignore lint/correctness/useExhaustiveDependencies: each number is a request to open it
  useEffect(() => spotlight.open(), [opened]);
  const found = useQueries({ queries: areas.map(({ name }) => areaTexts(name, locale)) });
  const queries = useQueryClient();
  const later = useQueries({
    queries: areas.map(({ name, laterCommands }) => ({
      queryKey: ['commands', name, locale],
      queryFn: () => laterCommands?.({ model, queries, locale }) ?? [],
      enabled: laterCommands !== undefined,
      staleTime: Number.POSITIVE_INFINITY,
      retry: false,
    })),
  });
  const [query, setQuery] = useState('');
  const [searched] = useDebouncedValue(query.trim(), DELAY_MS);
  const finds = useQueries({
    queries: areas.map(({ name, find }) => ({
      queryKey: ['found', name, locale, searched],
      queryFn: ({ signal }: { readonly signal: AbortSignal }) => find?.({ model, query: searched, signal }) ?? [],
      enabled: find !== undefined && SEARCHED.test(searched),
      retry: false,
    })),
  });
  const failure = finds.find(({ error }) => error !== null)?.error;
  const groups = areas.map(({ name, commands }, at) => {
    const [own, english] = found[at]?.data ?? [];
    // Pages whose names are not loaded yet are left out.
    const nameOf = (label: Command['label']): string | undefined => {
      if (typeof label === 'string') return label;
      return own === undefined ? undefined : createText(locale, own, english ?? {})(label.key);
    };
    return {
      group: text(`area.${name}`),
      actions: [
        { id: `area:${name}`, label: text(`area.${name}`), to: name },
        ...(commands?.(model) ?? []),
        ...(later[at]?.data ?? []),
        // The server has compared them with the text.
        ...(finds[at]?.data ?? []).map((command) => ({ ...command, keywords: searched })),
      ].flatMap(({ id, label, to, ...more }: Command & { readonly keywords?: string }) => {
        const shown = nameOf(label);
        return shown === undefined
          ? []
          : [{ id, label: shown, ...more, onClick: () => void navigate({ to: `/${to}` }) }];
      }),
    };
  });
  return (
    <Spotlight
      actions={groups}
      shortcut={null}
      limit={MAX_SHOWN}
      query={query}
      onQueryChange={setQuery}
      nothingFound={failure?.message ?? text('palette.nothing')}
      highlightQuery
      transitionProps={{ duration: 0 }}
      searchProps={{
        leftSection: <IconSearch size={18} />,
        placeholder: text('palette.placeholder'),
        'aria-label': text('palette.placeholder'),
        onKeyDown: openFirst,
      }}
    />
  );
}
