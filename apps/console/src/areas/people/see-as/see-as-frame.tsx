import { Button, Group, Text } from '@mantine/core';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from 'react';
import { useShowError } from '../../../errors/use-show-error.ts';
import { useLanguage } from '../../../language/text-provider.tsx';
import { loadModel, type Model } from '../../../model/model.ts';
import { ModelProvider } from '../../../model/model-provider.tsx';
import { createPeopleApi } from '../api/people-api.ts';
import classes from '../people.module.css';
import { readingRights } from './reading-rights.ts';

interface Seen {
  readonly model: Model;
  /** Of its own: nothing that one of the two has read is shown to the other. */
  readonly queries: QueryClient;
}

interface SeeAs {
  /** Shows the console as that user sees it. */
  begin(username: string): Promise<void>;
}

const SeeAsContext = createContext<SeeAs | undefined>(undefined);

/** Shows the console as another user sees it. */
export function useSeeAs(): SeeAs {
  const seeAs = useContext(SeeAsContext);
  if (seeAs === undefined) throw new Error('There is no SeeAsFrame');
  return seeAs;
}

interface SeeAsFrameProps {
  /** The application as the user of the login sees it. */
  readonly own: Model;
  readonly children: ReactNode;
}

interface Token {
  readonly username: string;
  readonly access_token: string;
  readonly expires_in: number;
}

/** Gives the console the model of its user, or of the user whose eyes are used; then it says so on each page. */
export function SeeAsFrame({ own, children }: SeeAsFrameProps) {
  const { locale } = useLanguage();
  const [seen, setSeen] = useState<Seen>();
  const [token, setToken] = useState<Token>();
  const showError = useShowError();
  const seeAs = useMemo<SeeAs>(
    () => ({
      async begin(username) {
        setToken(await createPeopleApi(own).send<Token>('POST', 'rights', '/see-as', { username }));
      },
    }),
    [own],
  );
  useEffect(() => {
    if (token === undefined) return;
    let isCurrent = true;
    loadModel(own.settings, { token: async () => token.access_token }, locale).then(
      (model) => {
        if (!isCurrent) return;
        const queries = new QueryClient({ defaultOptions: { queries: { retry: false, staleTime: 10_000 } } });
        setSeen({ model: { ...model, rights: readingRights(model.rights) }, queries });
      },
      (error) => {
        setToken(undefined);
        showError(error);
      },
    );
    return () => {
      isCurrent = false;
    };
  }, [token, own, locale, showError]);
  const end = async (): Promise<void> => {
    setToken(undefined);
    setSeen(undefined);
    await createPeopleApi(own).send('DELETE', 'rights', '/see-as').catch(showError);
  };
  useEffect(() => {
    if (token === undefined) return;
    const timer = setTimeout(() => {
      setToken(undefined);
      setSeen(undefined);
    }, token.expires_in * 1_000);
    return () => clearTimeout(timer);
  }, [token]);
  return (
    <SeeAsContext value={seeAs}>
      {seen === undefined ? (
        <ModelProvider value={own}>{children}</ModelProvider>
      ) : (
        <QueryClientProvider client={seen.queries}>
          <ModelProvider value={seen.model}>{children}</ModelProvider>
          <Banner username={seen.model.user.username} onEnd={() => void end()} />
        </QueryClientProvider>
      )}
    </SeeAsContext>
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
        <Button size="xs" color="dark" flex="none" onClick={onEnd}>
          {text('seeAs.end')}
        </Button>
      </Group>
    </section>
  );
}
