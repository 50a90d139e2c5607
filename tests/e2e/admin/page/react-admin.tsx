import { createClient, createSession } from '@lintel/client';
import { createAuthProvider, createDataProvider, idsOf, referencesOf } from '@lintel/data-providers/react-admin';
import {
  Admin,
  ArrayInput,
  type AuthProvider,
  AutocompleteArrayInput,
  Create,
  Datagrid,
  type DataProvider,
  Edit,
  List,
  NumberField,
  NumberInput,
  ReferenceArrayInput,
  ReferenceField,
  ReferenceInput,
  ReferenceManyField,
  Resource,
  SearchInput,
  SelectInput,
  SimpleForm,
  SimpleFormIterator,
  TextField,
  TextInput,
} from 'react-admin';
import { createRoot } from 'react-dom/client';
import { BrowserRouter } from 'react-router-dom';
import { baseUrl } from './base-url.ts';

const session = createSession({ baseUrl, clientId: 'spa', storage: sessionStorage });
const client = createClient({ baseUrl, token: session });
const resources = { posts: 'blog_Post', comments: 'blog_Comment', tags: 'blog_Tag', users: 'blog_User' };
const dataProvider: DataProvider = createDataProvider({ client, resources });
const authProvider: AuthProvider = createAuthProvider({
  client,
  session,
  resources,
  redirectUri: `${location.origin}/auth-callback`,
});

const PostList = () => (
  <List filters={[<SearchInput key="q" source="q" alwaysOn />]} sort={{ field: 'title', order: 'ASC' }} perPage={5}>
    <Datagrid rowClick="edit">
      <TextField source="title" />
      <NumberField source="views" />
      <ReferenceField source="author.id" reference="users" label="Author">
        <TextField source="name" />
      </ReferenceField>
    </Datagrid>
  </List>
);

const fields = (
  <>
    <TextInput source="title" />
    <NumberInput source="views" />
    <ReferenceInput source="author.id" reference="users">
      <SelectInput optionText="name" label="Author" />
    </ReferenceInput>
    <ReferenceArrayInput source="tags" reference="tags">
      <AutocompleteArrayInput optionText="name" format={idsOf} parse={referencesOf} />
    </ReferenceArrayInput>
    <ArrayInput source="backlinks">
      <SimpleFormIterator inline>
        <TextInput source="url" helperText={false} />
      </SimpleFormIterator>
    </ArrayInput>
  </>
);

const PostEdit = () => (
  <Edit mutationMode="pessimistic" redirect={false}>
    <SimpleForm>
      {fields}
      <ReferenceManyField reference="comments" target="post.id" sort={{ field: 'author', order: 'ASC' }}>
        <Datagrid bulkActionButtons={false}>
          <TextField source="author" />
        </Datagrid>
      </ReferenceManyField>
    </SimpleForm>
  </Edit>
);

const PostCreate = () => (
  <Create mutationMode="pessimistic" redirect="edit">
    <SimpleForm>{fields}</SimpleForm>
  </Create>
);

createRoot(document.body.appendChild(document.createElement('div'))).render(
  <BrowserRouter>
    <Admin dataProvider={dataProvider} authProvider={authProvider} requireAuth disableTelemetry>
      <Resource name="posts" list={PostList} edit={PostEdit} create={PostCreate} />
      <Resource name="users" recordRepresentation="name" />
      <Resource name="tags" recordRepresentation="name" />
      <Resource name="comments" />
    </Admin>
  </BrowserRouter>,
);
