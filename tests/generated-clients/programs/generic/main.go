// The requests for instances of the journey with the client of the API of any application; prints the results as JSON.
package main

import (
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
	search := client.NewSearch(*client.NewFilter([]client.ConditionOrGroup{client.ConditionAsConditionOrGroup(condition)}))
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

	text, err := json.Marshal(results)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(string(text))
}
