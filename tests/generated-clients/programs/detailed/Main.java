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
import org.openapitools.client.api.FilesApi;
import org.openapitools.client.api.ReportsApi;
import org.openapitools.client.api.SalesCustomerApi;
import org.openapitools.client.api.SalesOrderApi;
import org.openapitools.client.api.SalesProductApi;
import org.openapitools.client.api.TokensApi;
import org.openapitools.client.model.Condition;
import org.openapitools.client.model.ConditionOrGroup;
import org.openapitools.client.model.EntitySalesCustomer;
import org.openapitools.client.model.EntitySalesOrder;
import org.openapitools.client.model.EntitySalesOrderLine;
import org.openapitools.client.model.EntitySalesProduct;
import org.openapitools.client.model.Filter;
import org.openapitools.client.model.ReportRun;
import org.openapitools.client.model.ReportRunParameter;
import org.openapitools.client.model.Search;

/** Each request of the journey with the client that openapi-generator makes; prints the results as JSON. */
public class Main {
  private static ApiClient client(String url, String authorization) {
    ApiClient client = new ApiClient();
    client.updateBaseUri(url);
    return client.setRequestInterceptor(request -> request.header("Authorization", authorization));
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
    SalesOrderApi orders = new SalesOrderApi(api);

    Condition condition =
        new Condition().property("customer.name").operator(Condition.OperatorEnum.EQUAL).value("Duarte SARL");
    Search search =
        new Search().filter(new Filter().conditions(List.of(new ConditionOrGroup(condition)))).limit(2);
    results.put("found", orders.searchEntitiesSalesOrder(search, null, null).size());

    EntitySalesCustomer customer =
        new SalesCustomerApi(api)
            .listEntitiesSalesCustomer(null, 1, null, null, null, null, null, null, null, null, null)
            .get(0);
    EntitySalesProduct product =
        new SalesProductApi(api)
            .listEntitiesSalesProduct(null, 1, null, null, null, null, null, null, null, null, null)
            .get(0);
    EntitySalesOrderLine line =
        new EntitySalesOrderLine()
            .product(new EntitySalesProduct().id(product.getId()))
            .quantity(2.0)
            .price(1.25);
    EntitySalesOrder order =
        new EntitySalesOrder()
            .number(arguments[1])
            .date(java.time.LocalDate.of(2026, 2, 3))
            .status(EntitySalesOrder.StatusEnum.NEW)
            .customer(new EntitySalesCustomer().id(customer.getId()))
            .lines(List.of(line));
    EntitySalesOrder created = orders.createEntitiesSalesOrder(order, "order-edit", null, null, null, null);
    results.put("amount", created.getAmount());
    results.put("quantity", created.getLines().get(0).getQuantity());

    String tag =
        orders
            .getEntitySalesOrderWithHttpInfo(created.getId(), null, null, null, null, null, null, null)
            .getHeaders()
            .get("etag")
            .get(0);
    EntitySalesOrder change = new EntitySalesOrder().notes("changed");
    results.put("notes", orders.updateEntitySalesOrder(created.getId(), change, "_local", null, tag, null, null).getNotes());
    try {
      orders.updateEntitySalesOrder(created.getId(), new EntitySalesOrder().notes("stale"), null, null, tag, null, null);
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
