// Each request of the journey with the client that openapi-generator makes; prints the results as JSON.
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

func must[T any](value T, _ any, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return value
}

func main() {
	url, number := os.Args[1], os.Args[2]
	results := map[string]any{}

	configuration := client.NewConfiguration()
	configuration.Servers = client.ServerConfigurations{{URL: url}}
	api := client.NewAPIClient(configuration)

	login := context.WithValue(context.Background(), client.ContextBasicAuth, client.BasicAuth{UserName: "client", Password: "secret"})
	token := must(api.TokensAPI.IssueToken(login).GrantType("password").Username("admin").Password("admin").Execute())
	ctx := context.WithValue(context.Background(), client.ContextAccessToken, token.GetAccessToken())
	orders := api.SalesOrderAPI

	condition := client.NewCondition("customer.name", "=")
	condition.SetValue("Duarte SARL")
	filter := client.NewFilter()
	filter.SetConditions([]client.ConditionOrGroup{client.ConditionAsConditionOrGroup(condition)})
	search := client.NewSearch(*filter)
	search.SetLimit(2)
	found := must(orders.SearchEntitiesSalesOrder(ctx).Search(*search).Execute())
	results["found"] = len(found)

	customers := must(api.SalesCustomerAPI.ListEntitiesSalesCustomer(ctx).Limit(1).Execute())
	products := must(api.SalesProductAPI.ListEntitiesSalesProduct(ctx).Limit(1).Execute())
	line := client.EntitySalesOrderLine{Product: *client.NewNullableEntitySalesProduct(&client.EntitySalesProduct{Id: products[0].Id})}
	line.SetQuantity(2)
	line.SetPrice(1.25)
	order := client.EntitySalesOrder{Customer: *client.NewNullableEntitySalesCustomer(&client.EntitySalesCustomer{Id: customers[0].Id})}
	order.SetNumber(number)
	order.SetDate("2026-02-03")
	order.SetStatus("NEW")
	order.SetLines([]client.EntitySalesOrderLine{line})
	created := must(orders.CreateEntitiesSalesOrder(ctx).EntitySalesOrder(order).ResponseFetchPlan("order-edit").Execute())
	results["amount"] = created.GetAmount()
	results["quantity"] = created.GetLines()[0].GetQuantity()

	_, read, err := orders.GetEntitySalesOrder(ctx, created.GetId()).Execute()
	if err != nil {
		log.Fatal(err)
	}
	update := func(notes string) client.ApiUpdateEntitySalesOrderRequest {
		change := client.EntitySalesOrder{}
		change.SetNotes(notes)
		request := orders.UpdateEntitySalesOrder(ctx, created.GetId()).EntitySalesOrder(change)
		return request.IfMatch(read.Header.Get("ETag")).ResponseFetchPlan("_local")
	}
	changed := must(update("changed").Execute())
	results["notes"] = changed.GetNotes()
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
