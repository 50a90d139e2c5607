import { createClient, createSession } from '@lintel/client';
import {
  createAccessControlProvider,
  createAuthProvider,
  createDataProvider,
  createLiveProvider,
} from '@lintel/data-providers/refine';
import {
  type AccessControlProvider,
  Authenticated,
  type AuthProvider,
  type DataProvider,
  type LiveProvider,
  Refine,
  useSelect,
  useTable,
} from '@refinedev/core';
import { useForm } from '@refinedev/react-hook-form';
import routerProvider from '@refinedev/react-router';
import { createRoot } from 'react-dom/client';
import { BrowserRouter, Link, Route, Routes } from 'react-router';
import { baseUrl } from './base-url.ts';

const session = createSession({ baseUrl, clientId: 'spa', storage: sessionStorage });
const client = createClient({ baseUrl, token: session });
const resources = { blog_posts: 'blog_Post', categories: 'blog_Category' };
const options = { client, resources };
const dataProvider: DataProvider = createDataProvider(options);
const authProvider: AuthProvider = createAuthProvider({ client, session, redirectUri: `${location.origin}/` });
const accessControlProvider: AccessControlProvider = createAccessControlProvider(options);
const liveProvider: LiveProvider = createLiveProvider(options);

interface Post {
  readonly id: string;
  readonly version?: number;
  readonly title: string;
  readonly views?: number | string;
  readonly category?: { readonly id: string; readonly _instanceName?: string };
}

function PostList() {
  const { result, currentPage, setCurrentPage, pageCount, setFilters } = useTable<Post>({
    pagination: { pageSize: 5 },
    sorters: { initial: [{ field: 'title', order: 'asc' }] },
  });
  return (
    <main>
      <h1>Posts</h1>
      <Link to="/blog_posts/create">Create</Link>
      <input
        aria-label="Search"
        onChange={({ target }) => {
          setFilters([{ field: 'q', operator: 'contains', value: target.value }]);
          setCurrentPage(1);
        }}
      />
      <ul>
        {result.data.map(({ id, title, category }) => (
          <li key={id}>
            <Link to={`/blog_posts/edit/${id}`}>{title}</Link> {category?._instanceName}
          </li>
        ))}
      </ul>
      Page {currentPage} of {pageCount}
      <button type="button" onClick={() => setCurrentPage(currentPage + 1)}>
        Next
      </button>
    </main>
  );
}

function PostForm() {
  const {
    refineCore: { onFinish, mutation },
    register,
    handleSubmit,
    formState: { errors },
  } = useForm({ refineCoreProps: { redirect: false } });
  const { options: categories } = useSelect({ resource: 'categories', optionLabel: 'title' });
  const message = mutation.error?.message;
  return (
    <form onSubmit={handleSubmit((values) => onFinish(values).catch(() => undefined))}>
      <label>
        Title <input {...register('title')} />
      </label>
      <label>
        Views <input {...register('views')} />
      </label>
      {errors['views'] && <p role="alert">{String(errors['views'].message)}</p>}
      <label>
        Category
        <select {...register('category.id')}>
          {categories.map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
      </label>
      <button type="submit">Save</button>
      {mutation.isSuccess && <p role="status">Saved</p>}
      {message !== undefined && <p role="alert">{message}</p>}
    </form>
  );
}

createRoot(document.body.appendChild(document.createElement('div'))).render(
  <BrowserRouter>
    <Refine
      dataProvider={dataProvider}
      authProvider={authProvider}
      accessControlProvider={accessControlProvider}
      liveProvider={liveProvider}
      routerProvider={routerProvider}
      resources={[{ name: 'blog_posts', list: '/', create: '/blog_posts/create', edit: '/blog_posts/edit/:id' }]}
      options={{ liveMode: 'auto', disableTelemetry: true }}
    >
      <Authenticated key="all" fallback={<p>Logging in</p>}>
        <Routes>
          <Route index element={<PostList />} />
          <Route path="/blog_posts/create" element={<PostForm />} />
          <Route path="/blog_posts/edit/:id" element={<PostForm />} />
        </Routes>
      </Authenticated>
    </Refine>
  </BrowserRouter>,
);
