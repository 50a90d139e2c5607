using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text;
using Newtonsoft.Json;
using Newtonsoft.Json.Linq;
using Org.OpenAPITools.Api;
using Org.OpenAPITools.Client;
using Org.OpenAPITools.Model;

/// <summary>
/// The requests of the journey with the client of the API of any application; prints the results as JSON.
/// </summary>
public static class Program
{
    private const string Order = "sales_Order";

    public static void Main(string[] arguments)
    {
        var url = arguments[0];
        var results = new Dictionary<string, object>();

        var login = new TokensApi(new Configuration { BasePath = url, Username = "client", Password = "secret" });
        var token = login.IssueToken("password", username: "admin", password: "admin");
        var configuration = new Configuration { BasePath = url, AccessToken = token.AccessToken };
        var entities = new EntitiesApi(configuration);

        var condition = new Condition("customer.name", Condition.OperatorEnum.Equal, "Duarte SARL");
        var filter = new Filter(new List<ConditionOrGroup> { new ConditionOrGroup(condition) });
        results["found"] = new SearchApi(configuration).SearchEntities(Order, new Search(filter, limit: 2)).Count;

        object IdOfFirst(string name) => entities.ListEntities(name, limit: 1).Single().Id.ActualInstance;
        var line = new { product = new { id = IdOfFirst("sales_Product") }, quantity = 2, price = 1.25 };
        var order = WithValues(new Dictionary<string, object>
        {
            ["number"] = arguments[1],
            ["date"] = "2026-02-03",
            ["status"] = "NEW",
            ["customer"] = new { id = IdOfFirst("sales_Customer") },
            ["lines"] = new[] { line },
        });
        var created = entities.CreateEntities(Order, order, responseFetchPlan: "order-edit");
        results["amount"] = created.AdditionalProperties["amount"];
        results["quantity"] = ((JArray)created.AdditionalProperties["lines"])[0]["quantity"];

        var id = created.Id.GetString();
        var tag = entities.GetEntityWithHttpInfo(Order, id).Headers["ETag"].Single();
        var changed = entities.UpdateEntity(Order, id, Notes("changed"), responseFetchPlan: "_local", ifMatch: tag);
        results["notes"] = changed.AdditionalProperties["notes"];
        try
        {
            entities.UpdateEntity(Order, id, Notes("stale"), ifMatch: tag);
        }
        catch (ApiException error)
        {
            results["stale"] = error.ErrorCode;
        }

        var files = new FilesApi(configuration);
        var note = new FileParameter("note.txt", new MemoryStream(Encoding.UTF8.GetBytes("hello")));
        var reference = files.UploadFile(note).FileRef;
        results["file"] = Text(files.DownloadFile(reference));

        var period = new List<ReportRunParameter>
        {
            new ReportRunParameter("from", "2026-01-01"),
            new ReportRunParameter("to", "2026-12-31"),
        };
        var report = new ReportsApi(configuration).RunReportByCode("sales-by-customer", reportRun: new ReportRun("csv", parameters: period));
        results["report"] = Text(report).Split('\n')[0].TrimEnd('\r');

        Console.WriteLine(JsonConvert.SerializeObject(results));
    }

    private static string Text(FileParameter file)
    {
        using (var reader = new StreamReader(file.Content)) return reader.ReadToEnd();
    }

    private static Entity Notes(string text) => WithValues(new Dictionary<string, object> { ["notes"] = text });

    private static Entity WithValues(IDictionary<string, object> values) => new Entity { AdditionalProperties = values };
}
