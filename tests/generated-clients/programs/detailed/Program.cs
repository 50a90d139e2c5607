using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text;
using Newtonsoft.Json;
using Org.OpenAPITools.Api;
using Org.OpenAPITools.Client;
using Org.OpenAPITools.Model;

/// <summary>Each request of the journey with the client that openapi-generator makes; prints the results as JSON.</summary>
public static class Program
{
    public static void Main(string[] arguments)
    {
        var url = arguments[0];
        var number = arguments[1];
        var results = new Dictionary<string, object>();

        var login = new TokensApi(new Configuration { BasePath = url, Username = "client", Password = "secret" });
        var token = login.IssueToken("password", username: "admin", password: "admin");
        var configuration = new Configuration { BasePath = url, AccessToken = token.AccessToken };
        var orders = new SalesOrderApi(configuration);

        var condition = new Condition("customer.name", Condition.OperatorEnum.Equal, "Duarte SARL");
        var filter = new Filter(new List<ConditionOrGroup> { new ConditionOrGroup(condition) });
        results["found"] = orders.SearchEntitiesSalesOrder(new Search(filter, limit: 2)).Count;

        var customer = new SalesCustomerApi(configuration).ListEntitiesSalesCustomer(limit: 1).Single();
        var product = new SalesProductApi(configuration).ListEntitiesSalesProduct(limit: 1).Single();
        var line = new EntitySalesOrderLine { Product = new EntitySalesProduct { Id = product.Id }, Quantity = 2, Price = 1.25 };
        var order = new EntitySalesOrder
        {
            Number = number,
            Date = new DateTime(2026, 2, 3),
            Status = EntitySalesOrder.StatusEnum.NEW,
            Customer = new EntitySalesCustomer { Id = customer.Id },
            Lines = new List<EntitySalesOrderLine> { line },
        };
        var created = orders.CreateEntitiesSalesOrder(order, responseFetchPlan: "order-edit");
        results["amount"] = created.Amount;
        results["quantity"] = created.Lines.Single().Quantity;

        var tag = orders.GetEntitySalesOrderWithHttpInfo(created.Id).Headers["ETag"].Single();
        // The generated class sends null for what is not set: the whole order is sent back.
        created.Notes = "changed";
        results["notes"] = orders.UpdateEntitySalesOrder(created.Id, created, responseFetchPlan: "_local", ifMatch: tag).Notes;
        try
        {
            orders.UpdateEntitySalesOrder(created.Id, created, ifMatch: tag);
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
}
