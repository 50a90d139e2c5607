import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.openapitools.client.ApiClient;
import org.openapitools.client.ApiException;
import org.openapitools.client.api.EntitiesApi;
import org.openapitools.client.api.FilesApi;
import org.openapitools.client.api.ReportsApi;
import org.openapitools.client.api.SearchApi;
import org.openapitools.client.api.TokensApi;
import org.openapitools.client.model.Condition;
import org.openapitools.client.model.ConditionOrGroup;
import org.openapitools.client.model.Entity;
import org.openapitools.client.model.Filter;
import org.openapitools.client.model.ReportRun;
import org.openapitools.client.model.ReportRunParameter;
import org.openapitools.client.model.Search;

/**
 * The requests of the journey with the client of the API of any application; prints the results as JSON.
 */
public class Main {
  private static final String ORDER = "sales_Order";

  private static ApiClient client(String url, String authorization) {
    ApiClient client = new ApiClient();
    client.updateBaseUri(url);
    return client.setRequestInterceptor(request -> request.header("Authorization", authorization));
  }

  private static Object idOfFirst(EntitiesApi entities, String name) throws ApiException {
    return entities
        .listEntities(name, null, 1, null, null, null, null, null, null, null, null, null)
        .get(0)
        .getId()
        .getActualInstance();
  }

  public static void main(String[] arguments) throws Exception {
    String url = arguments[0];
    Map<String, Object> results = new LinkedHashMap<>();

    String secret = Base64.getEncoder().encodeToString("client:secret".getBytes(StandardCharsets.UTF_8));
    String token =
        new TokensApi(client(url, "Basic " + secret))
            .issueToken("password", "admin", "admin", null, null)
            .getAccessToken();
    ApiClient api = client(url, "Bearer " + token);
    EntitiesApi entities = new EntitiesApi(api);

    Condition condition =
        new Condition().property("customer.name").operator(Condition.OperatorEnum.EQUAL).value("Duarte SARL");
    Search search =
        new Search().filter(new Filter().conditions(List.of(new ConditionOrGroup(condition)))).limit(2);
    results.put("found", new SearchApi(api).searchEntities(ORDER, search, null, null).size());

    Map<String, Object> line =
        Map.of("product", Map.of("id", idOfFirst(entities, "sales_Product")), "quantity", 2, "price", 1.25);
    Entity order =
        new Entity()
            .putAdditionalProperty("number", arguments[1])
            .putAdditionalProperty("date", "2026-02-03")
            .putAdditionalProperty("status", "NEW")
            .putAdditionalProperty("customer", Map.of("id", idOfFirst(entities, "sales_Customer")))
            .putAdditionalProperty("lines", List.of(line));
    Entity created = entities.createEntities(ORDER, order, "order-edit", null, null, null, null);
    results.put("amount", created.getAdditionalProperty("amount"));
    List<?> lines = (List<?>) created.getAdditionalProperty("lines");
    results.put("quantity", ((Map<?, ?>) lines.get(0)).get("quantity"));

    String id = (String) created.getId().getActualInstance();
    String tag =
        entities.getEntityWithHttpInfo(ORDER, id, null, null, null, null, null, null, null).getHeaders().get("etag").get(0);
    Entity change = new Entity().putAdditionalProperty("notes", "changed");
    Entity changed = entities.updateEntity(ORDER, id, change, "_local", null, tag, null, null);
    results.put("notes", changed.getAdditionalProperty("notes"));
    try {
      Entity stale = new Entity().putAdditionalProperty("notes", "stale");
      entities.updateEntity(ORDER, id, stale, null, null, tag, null, null);
    } catch (ApiException error) {
      results.put("stale", error.getCode());
    }

    FilesApi files = new FilesApi(api);
    Path note = Files.writeString(Files.createTempFile("note", ".txt"), "hello");
    String reference = files.uploadFile(note.toFile(), null, null, null, null).getFileRef();
    Path copy = files.downloadFile(reference, null, null, null, null, null, null).toPath();
    results.put("file", Files.readString(copy));

    ReportRun run =
        new ReportRun()
            .template("csv")
            .parameters(
                List.of(
                    new ReportRunParameter().name("from").value("2026-01-01"),
                    new ReportRunParameter().name("to").value("2026-12-31")));
    Path document = new ReportsApi(api).runReportByCode("sales-by-customer", null, run).toPath();
    results.put("report", Files.readAllLines(document).get(0));

    for (Path file : List.of(note, copy, document)) Files.delete(file);
    System.out.println(new ObjectMapper().writeValueAsString(results));
  }
}
