import { Button, Group, Text } from '@mantine/core';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { type Model, useLanguage } from '../../../context.ts';
import { useShowError } from '../../../errors/use-show-error.ts';
import { createApi } from '../../../model/api.ts';
import { loadModel } from '../../../model/model.ts';
import { ModelProvider } from '../../../model/model-provider.ts';
import classes from '../people.module.css';
import { readingRights } from './reading-rights.ts';
import type { SeeAsToken } from './request-token.ts';

/** Of every user the same. */
const COMMON: ReadonlySet<unknown> = new Set(['model', 'texts']);

/** Forgets what was read, so that nothing that one of the two has read is shown to the other. */
function forget(queries: QueryClient): void {
  const filters = { predicate: ({ queryKey }: { readonly queryKey: readonly unknown[] }) => !COMMON.has(queryKey[0]) };
  void queries.cancelQueries(filters);
  queries.removeQueries(filters);
}

interface SeenConsoleProps {
  /** The application as the user of the login sees it. */
  readonly own: Model;
  readonly token: SeeAsToken;
  /** Called when the session has ended. */
  readonly onEnd: () => void;
  readonly children: ReactNode;
}

/** The console as another user sees it; each page says so. */
export function SeenConsole({ own, token, onEnd, children }: SeenConsoleProps) {
  const { locale } = useLanguage();
  const [seen, setSeen] = useState<Model>();
  const showError = useShowError();
  const queries = useQueryClient();
  useEffect(() => {
    let isCurrent = true;
    loadModel(own.settings, { token: async () => token.access_token }, locale).then(
      (model) => {
        if (!isCurrent) return;
        forget(queries);
        setSeen({ ...model, rights: readingRights(model.rights), isSeen: true });
      },
      (error) => {
        showError(error);
        onEnd();
      },
    );
    return () => {
      isCurrent = false;
      forget(queries);
    };
  }, [token, own, locale, showError, onEnd, queries]);
  useEffect(() => {
    const timer = setTimeout(onEnd, token.expires_in * 1_000);
    return () => clearTimeout(timer);
  }, [token, onEnd]);
  if (seen === undefined)
    return (
      <ModelProvider key="own" value={own}>
        {children}
      </ModelProvider>
    );
  const end = async (): Promise<void> => {
    onEnd();
    await createApi(own).send('DELETE', 'rights', '/see-as').catch(showError);
  };
  return (
    <>
      <ModelProvider key="seen" value={seen}>
        {children}
      </ModelProvider>
      <Banner username={seen.user.username} onEnd={() => void end()} />
    </>
  );
}

function Banner({ username, onEnd }: { readonly username: string; readonly onEnd: () => void }) {
  const { text } = useLanguage();
  return (
    <section className={classes['banner']} aria-label={text('seeAs.label')}>
      <Group justify="space-between" wrap="nowrap">
        <Text size="sm" fw={600} role="status">
          {text('seeAs.banner', { name: username })}
        </Text>
        <Button variant="filled" size="xs" color="dark" flex="none" onClick={onEnd}>
          {text('seeAs.end')}
        </Button>
      </Group>
    </section>
  );
}
