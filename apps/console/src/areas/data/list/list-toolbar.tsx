import type { ConditionGroup, EntityInfo } from '@lintel/client';
import type { ResolvedPath } from '@lintel/react';
import { Button, Group, TextInput } from '@mantine/core';
import { useDebouncedCallback, useHotkeys } from '@mantine/hooks';
import { IconBookmark, IconChartBar, IconColumns3, IconDownload, IconFilter, IconSearch } from '@tabler/icons-react';
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { useModel, useText } from '../../../context.ts';
import { Waiting } from '../../../errors/pending.tsx';
import { CopyRequest } from '../../../requests/copy-request.tsx';
import { listRequest } from '../../../requests/entity-requests.ts';
import { planOf } from '../paths/plan-of.ts';
import { isDynamic } from '../paths/resolve-dynamic.ts';
import type { ListState } from './list-state.ts';
import { PAGE_SIZE } from './use-list-page.ts';
import type { ChangeList } from './use-list-state.ts';

const FilterPanel = lazy(async () => ({ default: (await import('./filter/filter-panel.tsx')).FilterPanel }));
const ColumnsPanel = lazy(async () => ({ default: (await import('./columns/columns-panel.tsx')).ColumnsPanel }));

const DownloadPanel = lazy(async () => ({ default: (await import('./download/download-panel.tsx')).DownloadPanel }));
const QuestionPanel = lazy(async () => ({ default: (await import('./questions/question-panel.tsx')).QuestionPanel }));
const ViewsPanel = lazy(async () => ({ default: (await import('./views/views-panel.tsx')).ViewsPanel }));

const WAIT_MS = 300;
const ICONS = { columns: IconColumns3, views: IconBookmark, question: IconChartBar, download: IconDownload } as const;

interface ListToolbarProps {
  readonly entity: EntityInfo;
  readonly state: ListState;
  readonly change: ChangeList;
  readonly columns: readonly ResolvedPath[];
  /** The filter of the address with the words of the search. */
  readonly filter: ConditionGroup;
  /** The words of the search, if they are not in the filter. */
  readonly q: string | undefined;
  readonly total: number | undefined;
  /** The instances have a name to search in. */
  readonly canSearch: boolean;
}

type Panel = 'columns' | 'download' | 'filter' | 'question' | 'views';

/** Search, filter and columns of a list; what is opened is loaded first. */
export function ListToolbar(props: ListToolbarProps) {
  const { entity, state, change, columns, filter, q, total, canSearch } = props;
  const { entityName } = entity;
  const text = useText();
  const { connection } = useModel();
  const paths = columns.map(({ path }) => path);
  const plan = planOf(paths);
  const [open, setOpen] = useState<Panel | undefined>(state.question && 'question');
  const toggle = (panel: Panel): void => setOpen(open === panel ? undefined : panel);
  const conditions = state.filter?.conditions.length ?? 0;
  return (
    <>
      <Group gap="xs">
        {canSearch && <SearchField words={state.words} onChange={(words) => change({ words }, { replace: true })} />}
        <Button
          variant={conditions > 0 ? 'filled' : 'default'}
          leftSection={<IconFilter size={16} />}
          aria-expanded={open === 'filter'}
          onClick={() => toggle('filter')}
        >
          {conditions === 0 ? text('filter.title') : text('filter.active', { count: conditions })}
        </Button>
        {(['columns', 'views', 'question', 'download'] as const).map((panel) => {
          const Icon = ICONS[panel];
          return (
            <Button
              key={panel}
              leftSection={<Icon size={16} />}
              aria-expanded={open === panel}
              onClick={() => {
                toggle(panel);
                if (panel === 'question') change({ question: undefined }, { replace: true });
              }}
            >
              {text(`${panel}.title`)}
            </Button>
          );
        })}
        <CopyRequest
          request={listRequest(connection.paths, {
            ...{ entityName, filter, q, sort: state.sort, plan, limit: PAGE_SIZE },
            showsDynamic: paths.some(isDynamic),
          })}
        />
      </Group>
      {open !== undefined && (
        <Suspense fallback={<Waiting />}>
          {open === 'filter' && (
            <FilterPanel
              key={JSON.stringify(state.filter)}
              entityName={entityName}
              filter={state.filter}
              onApply={(filter) => change({ filter })}
            />
          )}
          {open === 'columns' && (
            <ColumnsPanel
              entityName={entityName}
              columns={columns}
              onChange={(chosen) => change({ columns: chosen }, { replace: true })}
            />
          )}
          {open === 'views' && (
            <ViewsPanel
              entityName={entityName}
              state={state}
              filter={filter}
              q={q}
              onQuestion={() => setOpen('question')}
            />
          )}
          {open === 'question' && (
            <QuestionPanel entityName={entityName} state={state} change={change} filter={filter} q={q} />
          )}
          {open === 'download' && (
            <DownloadPanel
              entityName={entityName}
              columns={columns}
              filter={filter}
              q={q}
              sort={state.sort}
              rows={undefined}
              total={total}
            />
          )}
        </Suspense>
      )}
    </>
  );
}

/** `/` leads to it from anywhere on the page, the arrow key down from it to the rows. */
function SearchField({ words, onChange }: { readonly words: string; readonly onChange: (words: string) => void }) {
  const text = useText();
  const [input, setInput] = useState(words);
  const field = useRef<HTMLInputElement>(null);
  const search = useDebouncedCallback(onChange, WAIT_MS);
  useHotkeys([['/', () => field.current?.focus()]]);
  // Back, and a link, change the address.
  useEffect(() => setInput(words), [words]);
  return (
    <TextInput
      ref={field}
      type="search"
      value={input}
      onChange={({ currentTarget: { value } }) => {
        setInput(value);
        search(value);
      }}
      onKeyDown={(event) => {
        const row = event.key === 'ArrowDown' && document.querySelector<HTMLElement>('#content tbody a');
        if (!row) return;
        event.preventDefault();
        row.focus();
      }}
      leftSection={<IconSearch size={16} />}
      aria-label={text('list.search')}
      placeholder={text('list.search')}
      aria-keyshortcuts="/"
      flex={1}
      maw={360}
      miw={160}
    />
  );
}
