// The requests of the journey with the client of the API of any application; prints the results as JSON.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"log"
	"os"

	client "example.com/x/client"
)

const order = "sales_Order"

type values = map[string]interface{}

func must[T any](value T, _ any, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return value
}

func main() {
	url, number := os.Args[1], os.Args[2]
	results := values{}

	configuration := client.NewConfiguration()
	configuration.Servers = client.ServerConfigurations{{URL: url}}
	api := client.NewAPIClient(configuration)

	login := context.WithValue(context.Background(), client.ContextBasicAuth, client.BasicAuth{UserName: "client", Password: "secret"})
	token := must(api.TokensAPI.IssueToken(login).GrantType("password").Username("admin").Password("admin").Execute())
	ctx := context.WithValue(context.Background(), client.ContextAccessToken, token.GetAccessToken())
	entities := api.EntitiesAPI

	condition := client.NewCondition("customer.name", "=")
	condition.SetValue("Duarte SARL")
	filter := client.NewFilter()
	filter.SetConditions([]client.ConditionOrGroup{client.ConditionAsConditionOrGroup(condition)})
	search := client.NewSearch(*filter)
	search.SetLimit(2)
	results["found"] = len(must(api.SearchAPI.SearchEntities(ctx, order).Search(*search).Execute()))

	customer := must(entities.ListEntities(ctx, "sales_Customer").Limit(1).Execute())[0]
	product := must(entities.ListEntities(ctx, "sales_Product").Limit(1).Execute())[0]
	line := values{"product": values{"id": product.GetId()}, "quantity": 2, "price": 1.25}
	created := must(entities.CreateEntities(ctx, order).Entity(client.Entity{AdditionalProperties: values{
		"number": number, "date": "2026-02-03", "status": "NEW",
		"customer": values{"id": customer.GetId()}, "lines": []values{line},
	}}).ResponseFetchPlan("order-edit").Execute())
	results["amount"] = created.AdditionalProperties["amount"]
	results["quantity"] = created.AdditionalProperties["lines"].([]interface{})[0].(values)["quantity"]

	id := *created.Id.String
	_, read, err := entities.GetEntity(ctx, order, id).Execute()
	if err != nil {
		log.Fatal(err)
	}
	update := func(notes string) client.ApiUpdateEntityRequest {
		change := client.Entity{AdditionalProperties: values{"notes": notes}}
		return entities.UpdateEntity(ctx, order, id).Entity(change).IfMatch(read.Header.Get("ETag")).ResponseFetchPlan("_local")
	}
	results["notes"] = must(update("changed").Execute()).AdditionalProperties["notes"]
	_, refused, _ := update("stale").Execute()
	results["stale"] = refused.StatusCode

	if err := os.WriteFile("note.txt", []byte("hello"), 0o600); err != nil {
		log.Fatal(err)
	}
	note, err := os.Open("note.txt")
	if err != nil {
		log.Fatal(err)
	}
	info := must(api.FilesAPI.UploadFile(ctx).File(note).Execute())
	results["file"] = firstLine(must(api.FilesAPI.DownloadFile(ctx).FileRef(info.GetFileRef()).Execute()))

	from, to := client.NewReportRunParameter("from"), client.NewReportRunParameter("to")
	from.SetValue("2026-01-01")
	to.SetValue("2026-12-31")
	run := client.NewReportRun()
	run.SetTemplate("csv")
	run.SetParameters([]client.ReportRunParameter{*from, *to})
	results["report"] = firstLine(must(api.ReportsAPI.RunReportByCode(ctx, "sales-by-customer").ReportRun(*run).Execute()))

	text, err := json.Marshal(results)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(string(text))
}

func firstLine(file *os.File) string {
	defer os.Remove(file.Name())
	lines := bufio.NewScanner(file)
	lines.Scan()
	return lines.Text()
}
